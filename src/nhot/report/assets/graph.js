// A graph laid out in the plane: its vertices coloured by a state, or by how often each is 1.
"use strict";

const mostNamed = 60; // vertices with their names in a large picture

/** A canvas of `size` pixels; draw(colourOf) fills it, where colourOf(vertex) is a colour. */
function graphCanvas(layout, size, named) {
  const count = layout.sites;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const canvas = element("canvas.smooth", { width: size * ratio, height: size * ratio, role: "img", "aria-label": "graph with its sites coloured" });
  canvas.style.width = `${size}px`;
  const radius = ratio * Math.max(1.6, Math.min(7, (0.22 * size) / Math.sqrt(count)));
  const margin = 2 * radius + (named ? 16 * ratio : 0);
  const at = (k) => margin + (layout.places[k] / 1000) * (canvas.width - 2 * margin);
  const draw = (colourOf) => {
    const ctx = canvas.getContext("2d");
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.strokeStyle = themed("quiet");
    ctx.globalAlpha = Math.max(0.08, Math.min(0.45, 120 / (layout.edges.length / 2 + 1)));
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let k = 0; k < layout.edges.length; k += 2) {
      const [a, b] = [layout.edges[k], layout.edges[k + 1]];
      ctx.moveTo(at(2 * a), at(2 * a + 1));
      ctx.lineTo(at(2 * b), at(2 * b + 1));
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = themed("quiet");
    for (let i = 0; i < count; i++) {
      ctx.fillStyle = colourOf(i);
      ctx.beginPath();
      ctx.arc(at(2 * i), at(2 * i + 1), radius, 0, 2 * Math.PI);
      ctx.fill();
      if (radius > 3) ctx.stroke();
    }
    if (named) drawNames(ctx, layout, at, radius, ratio);
  };
  return { canvas, draw, nearest: (x, y) => nearestVertex(layout, at, x * ratio, y * ratio) };
}

/** Names of vertices where there is room: above, below, or beside; others are left out. */
function drawNames(ctx, layout, at, radius, ratio) {
  const height = 11 * ratio;
  ctx.font = `${height}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineWidth = 3 * ratio;
  ctx.strokeStyle = themed("paper");
  ctx.fillStyle = themed("ink");
  const taken = Array.from({ length: layout.sites }, (_, i) => [at(2 * i), at(2 * i + 1), radius, radius]);
  const free = ([x, y, w, h]) => taken.every(([a, b, c, d]) => Math.abs(x - a) >= w + c || Math.abs(y - b) >= h + d);
  const inside = ([x, , w]) => x >= w && x <= ctx.canvas.width - w;
  for (let i = 0; i < layout.sites; i++) {
    const name = siteName(layout, i);
    const [w, h] = [ctx.measureText(name).width / 2, 0.5 * height];
    const [x, y] = [at(2 * i), at(2 * i + 1)];
    const [up, side] = [radius + h + 2 * ratio, radius + w + 3 * ratio];
    const box = [[x, y - up, w, h], [x, y + up, w, h], [x + side, y, w, h], [x - side, y, w, h]].find((one) => inside(one) && free(one));
    if (!box) continue;
    taken.push(box);
    ctx.strokeText(name, box[0], box[1]);
    ctx.fillText(name, box[0], box[1]);
  }
}

function nearestVertex(layout, at, x, y) {
  let [best, least] = [0, Infinity];
  for (let i = 0; i < layout.sites; i++) {
    const d = (at(2 * i) - x) ** 2 + (at(2 * i + 1) - y) ** 2;
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

const siteName = (layout, i) => (layout.names ? layout.names[i] : String(i));
