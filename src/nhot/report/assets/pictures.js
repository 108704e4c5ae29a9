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

/** A table of 256 such colours for the current theme. */
const shareColours = () => {
  const [low, high] = [rgb(themed("off")), rgb(themed("on"))];
  return Array.from({ length: 256 }, (_, v) => [0, 1, 2].map((c) => Math.round(low[c] + (v / 255) * (high[c] - low[c]))));
};

/** A picture of the sites, in pixels about `size` wide; draw(levels) colours them, one byte per site. */
function sitesCanvas(layout, size, named) {
  if (layout.kind !== "graph") return panelCanvas(layout, size);
  const graph = graphCanvas(layout, size, named);
  const draw = (levels) => {
    const texts = shareColours().map((c) => `rgb(${c})`);
    graph.draw((i) => texts[levels[i]]);
  };
  return { ...graph, draw };
}

/** A canvas with the panels side by side, in a near-square arrangement; draw(levels) fills it. */
function panelCanvas(layout, size) {
  const panels = panelsOf(layout);
  const across = panels.length <= 2 ? panels.length : Math.ceil(Math.sqrt(panels.length));
  const down = Math.ceil(panels.length / across);
  const width = Math.max(...panels.map((p) => p.width));
  const height = Math.max(...panels.map((p) => p.height));
  const gap = panels.length > 1 ? Math.max(1, Math.min(2, Math.round(width / 10))) : 0;
  const canvas = element("canvas", {
    width: across * (width + gap) - gap,
    height: down * (height + gap) - gap,
    role: "img",
    "aria-label": "state as an image",
  });
  canvas.style.width = `${size * (layout.kind === "rbm" ? 2 : 1)}px`;
  const draw = (levels) => {
    const ctx = canvas.getContext("2d");
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    const colours = shareColours();
    panels.forEach((panel, k) => {
      const image = ctx.createImageData(panel.width, panel.height);
      for (let i = 0; i < panel.count; i++) {
        const [r, g, b] = colours[levels[panel.first + i]];
        image.data.set([r, g, b, 255], 4 * i);
      }
      ctx.putImageData(image, (k % across) * (width + gap), Math.floor(k / across) * (height + gap));
    });
  };
  return { canvas, draw };
}

function sitesOf(layout) {
  if (layout.kind === "graph") return layout.sites;
  return layout.kind === "rbm" ? layout.visible + layout.hidden : layout.sides.reduce((a, b) => a * b, 1);
}

/** The bits of a state as levels: 255 where the site is 1. */
const levelsOf = (layout, base64) => bitsOf(base64, sitesOf(layout)).map((bit) => 255 * bit);

/** A figure of the sites with levels(), which may change: call show() then. */
function sitesFigure(layout, size, title, levels, named) {
  const { canvas, draw, nearest } = sitesCanvas(layout, size, named);
  const show = () => draw(levels());
  redraws.push(show);
  show();
  return { figure: element("figure", canvas, element("figcaption", title)), show, canvas, nearest };
}

function statePicture(layout, base64, title) {
  return sitesFigure(layout, 240, title, () => levelsOf(layout, base64)).figure;
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
