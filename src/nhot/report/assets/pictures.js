// States and filters as images.
"use strict";

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

function bitsOf(base64, count) {
  const bytes = bytesOf(base64);
  return Array.from({ length: count }, (_, i) => (bytes[i >> 3] >> (i & 7)) & 1);
}

function rgb(text) {
  const probe = element("canvas", { width: 1, height: 1 }).getContext("2d");
  probe.fillStyle = text;
  probe.fillRect(0, 0, 1, 1);
  return Array.from(probe.getImageData(0, 0, 1, 1).data).slice(0, 3);
}

/** Rectangles of sites: [{name, first, width, height}], in reading order. */
function panelsOf(layout) {
  if (layout.kind === "rbm") {
    const shape = (n) => {
      const root = Math.round(Math.sqrt(n));
      return root * root === n ? [root, root] : [Math.ceil(Math.sqrt(n)), Math.ceil(n / Math.ceil(Math.sqrt(n)))];
    };
    const [vw, vh] = shape(layout.visible);
    const [hw, hh] = shape(layout.hidden);
    return [
      { name: "visible layer", first: 0, count: layout.visible, width: vw, height: vh },
      { name: "hidden layer", first: layout.visible, count: layout.hidden, width: hw, height: hh },
    ];
  }
  const sides = layout.sides;
  if (sides.length === 1) {
    const width = Math.ceil(Math.sqrt(sides[0]));
    return [{ name: "sites", first: 0, count: sides[0], width, height: Math.ceil(sides[0] / width) }];
  }
  const [rows, columns] = sides.slice(-2);
  const layers = sides.length === 3 ? sides[0] : 1;
  return Array.from({ length: layers }, (_, z) => ({
    name: layers > 1 ? `layer ${z + 1}` : "lattice",
    first: z * rows * columns,
    count: rows * columns,
    width: columns,
    height: rows,
  }));
}

/** A canvas with the panels side by side, in a near-square arrangement; draw(bits) fills it. */
function stateCanvas(layout, size) {
  const panels = panelsOf(layout);
  const across = panels.length <= 2 ? panels.length : Math.ceil(Math.sqrt(panels.length));
  const down = Math.ceil(panels.length / across);
  const width = Math.max(...panels.map((p) => p.width));
  const height = Math.max(...panels.map((p) => p.height));
  const gap = panels.length > 1 ? 2 : 0;
  const canvas = element("canvas", {
    width: across * (width + gap) - gap,
    height: down * (height + gap) - gap,
    role: "img",
    "aria-label": "state as an image",
  });
  canvas.style.width = `${size * (layout.kind === "rbm" ? 2 : 1)}px`;
  const draw = (bits) => {
    const ctx = canvas.getContext("2d");
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    const on = rgb(themed("on"));
    const off = rgb(themed("off"));
    panels.forEach((panel, k) => {
      const image = ctx.createImageData(panel.width, panel.height);
      for (let i = 0; i < panel.count; i++) {
        const colourOf = bits[panel.first + i] ? on : off;
        image.data.set([...colourOf, 255], 4 * i);
      }
      ctx.putImageData(image, (k % across) * (width + gap), Math.floor(k / across) * (height + gap));
    });
  };
  return { canvas, draw };
}

function sitesOf(layout) {
  return layout.kind === "rbm" ? layout.visible + layout.hidden : layout.sides.reduce((a, b) => a * b, 1);
}

function statePicture(layout, base64, title) {
  const { canvas, draw } = stateCanvas(layout, 240);
  const bits = bitsOf(base64, sitesOf(layout));
  const show = () => draw(bits);
  redraws.push(show);
  show();
  return element("figure", canvas, element("figcaption", title));
}

/** States of several chains with a slider through the run. */
function stateGallery(picture) {
  const count = picture.moves.length;
  if (!count || !picture.chains.length) return null;
  const sites = sitesOf(picture.layout);
  const shown = picture.chains.map((_, c) => ({ ...stateCanvas(picture.layout, 220), name: `chain ${c + 1}` }));
  const label = element("span");
  const slider = element("input", { type: "range", min: 0, max: count - 1, value: count - 1, "aria-label": "state to show" });
  const show = () => {
    const k = Number(slider.value);
    label.textContent = `after ${format(picture.moves[k], 7)} moves`;
    shown.forEach((s, c) => s.draw(bitsOf(picture.chains[c][k], sites)));
  };
  slider.addEventListener("input", show);
  redraws.push(show);
  show();
  return element(
    "div",
    count > 1 ? element("label.slider", slider, label) : element("p.quiet", label),
    element("div.pictures", shown.map((s) => element("figure", s.canvas, element("figcaption", s.name))))
  );
}

/** Filters of an RBM: blue for negative weights, orange for positive ones, the same scale for all. */
function filterGallery(layout, filters) {
  const panel = panelsOf(layout)[0];
  const low = [0, 114, 178];
  const high = [213, 94, 0];
  const holder = element("div.filters");
  const draws = filters.rows.map((row, h) => {
    const canvas = element("canvas", { width: panel.width, height: panel.height, role: "img", "aria-label": `filter ${h + 1}` });
    holder.append(canvas);
    const bytes = bytesOf(row);
    return () => {
      const middle = rgb(themed("paper"));
      const ctx = canvas.getContext("2d");
      const image = ctx.createImageData(panel.width, panel.height);
      bytes.forEach((byte, i) => {
        const level = (byte - 127.5) / 127.5;
        const end = level < 0 ? low : high;
        const share = Math.abs(level);
        image.data.set([0, 1, 2].map((c) => middle[c] + share * (end[c] - middle[c])).concat(255), 4 * i);
      });
      ctx.putImageData(image, 0, 0);
    };
  });
  const drawAll = () => draws.forEach((draw) => draw());
  redraws.push(drawAll);
  drawAll();
  return holder;
}
