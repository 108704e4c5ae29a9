// The models of the page: text for the library's generators, or the terms of a graph made here.
"use strict";

/** Uniform numbers in [0, 1) from a seed (mulberry32): the same graph in every browser. */
function uniformNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function allPairs(count) {
  const pairs = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) pairs.push([i, j]);
  return pairs;
}

/** Places in the unit square where edges pull and vertices push (Fruchterman and Reingold). */
function springLayout(count, edges, random) {
  const places = Array.from({ length: count }, () => [random(), random()]);
  const wanted = 0.7 / Math.sqrt(count);
  for (let round = 0; round < 300; round++) {
    const forces = places.map(([x, y]) => [(0.5 - x) * 0.3, (0.5 - y) * 0.3]); // and the middle pulls a little
    const push = (i, j, size) => {
      const dx = places[i][0] - places[j][0] || 1e-6;
      const dy = places[i][1] - places[j][1];
      const far = Math.hypot(dx, dy);
      const force = size(far) / far;
      forces[i][0] += dx * force;
      forces[i][1] += dy * force;
      forces[j][0] -= dx * force;
      forces[j][1] -= dy * force;
    };
    for (const [i, j] of allPairs(count)) push(i, j, (far) => (wanted * wanted) / Math.max(far, 0.01));
    for (const [i, j] of edges) push(i, j, (far) => -(far * far) / wanted / 3);
    const step = 0.05 * (1 - round / 300);
    places.forEach((place, i) => {
      const size = Math.hypot(...forces[i]) || 1;
      place[0] += (forces[i][0] / size) * Math.min(step, size);
      place[1] += (forces[i][1] / size) * Math.min(step, size);
    });
  }
  const along = (axis) => places.map((place) => place[axis]);
  const ranges = [0, 1].map((axis) => [Math.min(...along(axis)), Math.max(...along(axis))]);
  return places.map((place) => place.map((v, axis) => (v - ranges[axis][0]) / (ranges[axis][1] - ranges[axis][0])));
}

/** A fifth of the vertices nearly all joined with one another; the others, and they with the others, by few edges: two at least. */
function crowdGraph(count) {
  const random = uniformNumbers(12);
  const crowd = count / 5;
  const near = ([i, j]) => j === i + 1 || j === i + 7 || random() < (i < crowd && j < crowd ? 0.7 : 3 / count);
  const edges = allPairs(count).filter(near);
  return { places: springLayout(count, edges, random), edges };
}

/** Vertices scattered on a square; who is near is joined. */
function neighbourGraph(count) {
  const random = uniformNumbers(7);
  const places = Array.from({ length: count }, () => [random(), random()]);
  const reach = Math.sqrt(7 / (Math.PI * count));
  const near = ([i, j]) => Math.hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]) < reach;
  return { places, edges: allPairs(count).filter(near) };
}

/** E = sum over the edges of onOne (x_i + x_j) + onBoth x_i x_j. */
function graphModel(graph, { onOne = 0, onBoth }) {
  const sites = graph.places.length;
  const linear = new Array(sites).fill(0);
  for (const [i, j] of graph.edges) for (const v of [i, j]) linear[v] += onOne;
  return { sites, graph, terms: { linear, pairs: graph.edges, values: graph.edges.map(() => onBoth) } };
}

const square = (side) => `${side}x${side}`;
const cube = (side) => `${side}x${side}x${side}`;

/** A ferromagnet, or with a seed a spin glass; `spec` is what the command line calls it. */
const latticeModel = (dimensions, glassSeed = null) => (side) => {
  const shape = dimensions === 2 ? square(side) : cube(side);
  const spec = glassSeed === null ? `ferromagnet:${shape}` : `spin-glass:${shape},seed=${glassSeed}`;
  return { sites: side ** dimensions, spec, side, dimensions, glassSeed };
};

/**
 * make(size) gives { sites, what the worker makes it from, what its picture needs }. perSite: energies are shown per site.
 * range: of the temperature; critical: where the phase changes; tries: some to try. share: of the sites that are one.
 */
const models = {
  lattice: {
    label: "lattice: ferromagnet",
    sizes: [20, 40, 60, 100],
    size: 60,
    sizeText: square,
    make: latticeModel(2),
    perSite: true,
    share: 0.5,
    range: [1, 6],
    temperature: 2.27,
    length: 10,
    critical: 2 / Math.log(1 + Math.SQRT2),
    tries: [["cold", 1.6], ["critical", 2.27], ["hot", 4]],
    text: "Every site is a spin, up or down, that likes to be as its four neighbours are. The number of spins that are up is fixed, as in a mixture of two " +
      "liquids. Below the critical temperature the two separate; near it there are clusters of all sizes, and they take long to change.",
  },
  glass2: {
    label: "glass: square lattice, couplings ±1",
    sizes: [16, 24, 40],
    size: 24,
    sizeText: square,
    make: latticeModel(2, 1),
    perSite: true,
    share: 0.5,
    range: [0.3, 5],
    temperature: 0.8,
    length: 3,
    tries: [["cold", 0.5], ["middle", 1], ["hot", 3]],
    text: "Half of the neighbours want to be alike, half want to differ, at random: not everyone can have it his way. There is no order to see, yet some sites are " +
      "frozen for long while others keep turning.",
  },
  glass3: {
    label: "glass: cubic lattice, couplings ±1",
    sizes: [6, 9, 12],
    size: 9,
    sizeText: cube,
    make: latticeModel(3, 7),
    perSite: true,
    share: 0.5,
    range: [0.5, 6],
    temperature: 1,
    length: 2,
    critical: 1.1,
    tries: [["cold", 0.7], ["glass", 1.1], ["hot", 4]],
    text: "A spin glass in three dimensions, shown layer by layer. Below T ≈ 1.1 its states fall into valleys, and no sampler that stays at one temperature " +
      "crosses between them in reasonable time: the library's nhot temper does.",
  },
  crowd: {
    label: "graph: the most edges among n",
    sizes: [60, 100],
    size: 60,
    sizeText: (count) => `${count} vertices`,
    make: (count) => graphModel(crowdGraph(count), { onBoth: -1 }),
    perSite: false,
    share: 0.2,
    range: [0.1, 5],
    temperature: 1.2,
    length: 2,
    tries: [["cold", 0.7], ["middle", 1.2], ["hot", 3]],
    text: "Choose exactly n vertices; every edge between two chosen ones lowers the energy by 1. A group that is densely joined is hidden in the graph. Cold, " +
      "both samplers sit on it; at a middle temperature they come and go.",
  },
  halves: {
    label: "graph: cut as few edges as possible",
    sizes: [60, 120, 240],
    size: 120,
    sizeText: (count) => `${count} vertices`,
    make: (count) => graphModel(neighbourGraph(count), { onOne: 1, onBoth: -2 }),
    perSite: false,
    share: 0.5,
    range: [0.3, 8],
    temperature: 2,
    length: 5,
    tries: [["cold", 0.7], ["middle", 2], ["hot", 5]],
    text: "Split the vertices in two parts of given size; the energy is the number of edges that are cut. Cold states are good bisections of the graph.",
  },
};
