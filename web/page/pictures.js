// The present state: lattices as pixels, cubes as a sheet of layers, graphs as circles and lines.
"use strict";

/** The colour of the style sheet as [red, green, blue]. */
function channels(name) {
  const text = themed(name).slice(1);
  return [0, 2, 4].map((k) => parseInt(text.slice(k, k + 2), 16));
}

/** Where each site of a lattice is on the sheet, and its size: layers lie beside each other, a pixel apart. */
function sheet({ side, dimensions, sites }) {
  const layers = sites / (side * side);
  const columns = dimensions === 2 ? 1 : Math.ceil(Math.sqrt(layers));
  const rows = Math.ceil(layers / columns);
  const width = columns * (side + 1) - 1;
  const place = (i) => {
    const layer = Math.floor(i / (side * side));
    const [y, x] = [Math.floor(i / side) % side, i % side];
    return (Math.floor(layer / columns) * (side + 1) + y) * width + (layer % columns) * (side + 1) + x;
  };
  return { width, height: rows * (side + 1) - 1, places: Array.from({ length: sites }, (_, i) => place(i)) };
}

/** Draws states of one model on a canvas: draw(bits, changed), where `changed` marks sites or is null. */
function statePicture(canvas, model) {
  return model.graph ? graphPicture(canvas, model.graph) : latticePicture(canvas, model);
}

function latticePicture(canvas, model) {
  const { width, height, places } = sheet(model);
  canvas.width = width;
  canvas.height = height;
  canvas.classList.add("pixels");
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  return (bits, changed) => {
    const colours = [channels("off"), channels("on"), channels("c4")];
    for (let i = 0; i < bits.length; i++) {
      const colour = colours[changed && changed[i] ? 2 : bits[i]];
      const at = 4 * places[i];
      for (let k = 0; k < 3; k++) image.data[at + k] = colour[k];
      image.data[at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  };
}

function graphPicture(canvas, { places, edges }) {
  const size = 640;
  const radius = places.length > 150 ? 8 : 11;
  canvas.width = canvas.height = size;
  canvas.classList.remove("pixels");
  const context = canvas.getContext("2d");
  const at = places.map((place) => place.map((v) => 22 + v * (size - 44)));
  const lines = (chosen, colour, width) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const [i, j] of chosen) {
      context.moveTo(...at[i]);
      context.lineTo(...at[j]);
    }
    context.stroke();
  };
  return (bits, changed) => {
    context.clearRect(0, 0, size, size);
    lines(edges.filter(([i, j]) => !bits[i] || !bits[j]), themed("rule"), 1.5);
    lines(edges.filter(([i, j]) => bits[i] && bits[j]), themed("on"), 3);
    at.forEach(([x, y], i) => {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = themed(bits[i] ? "on" : "paper");
      context.fill();
      context.strokeStyle = changed && changed[i] ? themed("c4") : themed(bits[i] ? "on" : "quiet");
      context.lineWidth = changed && changed[i] ? 6 : 2;
      context.stroke();
    });
  };
}
