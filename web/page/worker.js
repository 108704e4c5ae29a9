// Runs the two samplers beside the page, in slices of a few milliseconds, and posts states and numbers.
"use strict";

const sliceLength = 4; // milliseconds of one sampler before the other has its turn
const turnLength = 24; // and of both, before messages are read
const frameGap = 60; // between states
const chartGap = 400; // between numbers
const longestGap = 100; // between turns in slow motion: what was missed, paused or not, stays missed
const curvePoints = 700;

// The numbers of LiveSummary, in its order (web/core/live_chain.hpp).
const summaryNames = [
  "moves", "acceptance", "steps", "energy", "lowest", "thin", "draws", "used", "mean", "error", "tau", "tau_known", "ess",
];

let library = null;
let model = 0;
let samplers = [];
let settings = { run: false, fair: "cpu", pace: null }; // pace: moves a second of the second sampler; null: all there is
let frameAt = 0;
let chartsAt = 0;
let lastTurn = 0;

/** Calls work with the address of a text. */
function withText(text, work) {
  const size = library.lengthBytesUTF8(text) + 1;
  const at = library._malloc(size);
  library.stringToUTF8(text, at, size);
  try {
    return work(at);
  } finally {
    library._free(at);
  }
}

/** The address of a copy of a typed array; the caller frees it. */
function copied(values) {
  const at = library._malloc(Math.max(8, values.byteLength));
  library.HEAPU8.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
  return at;
}

/** The result of a call of the library, or what it says is wrong. */
function checked(result) {
  if (!result) throw new Error(library.UTF8ToString(library._sampler_error()));
  return result;
}

function makeModel({ sites, side, dimensions, glassSeed, terms }) {
  if (!terms && glassSeed === null) return checked(library._model_ferromagnet(side, dimensions));
  if (!terms) return checked(library._model_spin_glass(side, dimensions, glassSeed));
  const parts = [Float64Array.from(terms.linear), Uint32Array.from(terms.pairs.flat()), Float64Array.from(terms.values)].map(copied);
  try {
    return checked(library._model_from_terms(sites, parts[0], terms.values.length, parts[1], parts[2]));
  } finally {
    parts.forEach((at) => library._free(at));
  }
}

function makeChain(move, start) {
  const at = start ? copied(start) : 0;
  try {
    const { distance, beta, seed } = settings;
    return withText(move, (text) => checked(library._chain_make(model, distance, beta, text, seed, at)));
  } finally {
    if (at) library._free(at);
  }
}

function bitsOf({ chain }) {
  const at = library._chain_bits(chain);
  return library.HEAPU8.slice(at, at + settings.sites);
}

function summaryOf({ chain }) {
  const at = library._chain_summary(chain) / 8;
  return Object.fromEntries(summaryNames.map((name, k) => [name, library.HEAPF64[at + k]]));
}

/** Milliseconds that a move takes, from moves of a chain of its own. */
function costOf(move, bits) {
  const chain = makeChain(move, bits);
  const began = performance.now();
  let moves = 0;
  for (let now = 64; performance.now() - began < 3; now *= 2) {
    library._chain_advance(chain, now);
    moves += now;
  }
  const cost = (performance.now() - began) / moves;
  library._chain_free(chain);
  return cost;
}

const startSampler = (move, start) => ({ move, chain: makeChain(move, start), cost: 1, credit: 0, cpu: 0, moves: 0 });

/** New draws of both from here on: what changed makes the old ones those of another law, or of another move. */
function beginAgain() {
  for (const sampler of samplers) {
    library._chain_clear(sampler.chain);
    Object.assign(sampler, { cost: costOf(sampler.move, bitsOf(sampler)), credit: 0, cpu: 0, moves: 0 });
  }
  frameAt = chartsAt = 0;
}

function advance(sampler, moves) {
  const began = performance.now();
  library._chain_advance(sampler.chain, moves);
  sampler.moves += moves;
  return performance.now() - began;
}

/** A slice of the sampler that is behind: in computing time, or in moves. */
function fullSpeed(until) {
  while (performance.now() < until) {
    const behind = settings.fair === "cpu" ? "cpu" : "moves";
    const sampler = samplers[0][behind] <= samplers[1][behind] ? samplers[0] : samplers[1];
    const cost = settings.fair === "cpu" ? sampler.cost : Math.max(...samplers.map((s) => s.cost));
    const moves = Math.max(1, Math.floor(sliceLength / cost));
    const took = advance(sampler, moves);
    sampler.cpu += took;
    sampler.cost = 0.9 * sampler.cost + (0.1 * took) / moves;
  }
}

/** So many moves a second; what they cost is taken from faster times. */
function slowly(elapsed) {
  for (const [k, sampler] of samplers.entries()) {
    const share = settings.fair === "cpu" && k === 0 ? samplers[1].cost / sampler.cost : 1;
    sampler.credit += (elapsed / 1000) * settings.pace * share;
    const moves = Math.floor(sampler.credit);
    if (moves === 0) continue;
    sampler.credit -= moves;
    advance(sampler, moves);
    sampler.cpu += moves * sampler.cost;
  }
}

function postFrame() {
  const states = samplers.map((sampler) => ({ bits: bitsOf(sampler), moves: sampler.moves }));
  postMessage({ kind: "frame", round: settings.round, states }, states.map((s) => s.bits.buffer));
}

/** At most curvePoints of `count` points, evenly spaced. */
function curve(count, xOf, yOf) {
  const stride = Math.max(1, Math.ceil(count / curvePoints));
  const chosen = Array.from({ length: Math.ceil(count / stride) }, (_, k) => k * stride);
  return { x: chosen.map(xOf), y: chosen.map(yOf) };
}

function postNumbers() {
  const numbers = samplers.map((sampler) => {
    const summary = summaryOf(sampler);
    const cost = sampler.cpu > 0 ? sampler.cpu / sampler.moves : sampler.cost;
    return { ...summary, cost, cpu: sampler.cpu, stepsPerMove: summary.moves > 0 ? summary.steps / summary.moves : 1 };
  });
  const drawSeconds = numbers.map((s) => (s.thin * s.cost) / 1000);
  // As far as four autocorrelation times of the slower one, where they are known.
  const far = Math.max(...numbers.map((s, k) => (s.tau_known ? 4 * Math.max(1, s.tau) : s.used / 4) * drawSeconds[k]));
  const horizon = far > 0 ? niceStep(far) : 0;
  const traces = samplers.map(({ chain }, k) => {
    const { draws, moves, thin } = numbers[k];
    const values = library.HEAPF64.subarray(library._chain_energies(chain) / 8).slice(0, draws);
    const earlier = Math.floor(moves / thin) - draws; // draws that are no longer kept
    return curve(draws, (i) => (earlier + i + 1) * drawSeconds[k], (i) => values[i]);
  });
  const autocorrelations = samplers.map(({ chain }, k) => {
    const lags = Math.min(library._chain_lags(chain), drawSeconds[k] > 0 ? Math.floor(horizon / drawSeconds[k]) + 1 : 0);
    const at = library._chain_autocorrelation(chain) / 8;
    return curve(lags, (i) => i * drawSeconds[k], (i) => library.HEAPF64[at + i]);
  });
  const warming = numbers.map((s, k) => (s.draws - s.used) * drawSeconds[k]);
  postMessage({ kind: "numbers", round: settings.round, numbers, traces, autocorrelations, horizon, warming: Math.max(...warming) });
}

// A message to itself comes at once, but after those of the page; a timer of 0 would come 4 ms later.
const turns = new MessageChannel();
let scheduled = false;

function nextTurn(delay) {
  if (scheduled) return;
  scheduled = true;
  if (delay > 0) setTimeout(() => turns.port2.postMessage(null), delay);
  else turns.port2.postMessage(null);
}

turns.port1.onmessage = () => {
  scheduled = false;
  if (!settings.run || !samplers.length) return;
  const now = performance.now();
  if (settings.pace === null) fullSpeed(now + turnLength);
  else slowly(Math.min(now - lastTurn, longestGap));
  lastTurn = now;
  const after = performance.now();
  if (after - frameAt >= frameGap) {
    frameAt = after;
    postFrame();
  }
  if (after - chartsAt >= chartGap) {
    postNumbers();
    chartsAt = performance.now();
  }
  nextTurn(settings.pace === null ? 0 : frameGap / 2);
};

const commands = {
  start({ model: wanted, moves, ...rest }) {
    for (const { chain } of samplers) library._chain_free(chain);
    samplers = [];
    if (model) library._model_free(model);
    model = 0;
    settings = { ...settings, ...rest };
    model = makeModel(wanted);
    settings.sites = library._model_sites(model);
    samplers = moves.map((move) => startSampler(move, null));
    beginAgain();
  },
  /** Another move of the second sampler, from its present state. */
  move({ move, round }) {
    settings.round = round;
    const [, old] = samplers;
    samplers[1] = startSampler(move, bitsOf(old));
    library._chain_free(old.chain);
    beginAgain();
  },
  temperature({ beta, round }) {
    Object.assign(settings, { beta, round });
    for (const { chain } of samplers) checked(library._chain_set_beta(chain, beta));
    beginAgain();
  },
  settings(changed) {
    Object.assign(settings, changed);
  },
  /** The draws kept of a sampler, for who asks: the last was made at the last multiple of `thin`. */
  draws({ sampler }) {
    const { chain } = samplers[sampler];
    const { moves, thin, draws } = summaryOf(samplers[sampler]);
    const at = library._chain_energies(chain) / 8;
    postMessage({ kind: "draws", moves, thin, energies: library.HEAPF64.slice(at, at + draws) });
  },
};

onmessage = ({ data: { command, ...rest } }) => {
  try {
    commands[command](rest);
  } catch (error) {
    settings.run = false;
    postMessage({ kind: "error", text: error.message });
    return;
  }
  if (command !== "draws" && samplers.length) {
    postFrame();
    postNumbers();
  }
  nextTurn(0);
};

makeSampler().then((made) => {
  library = made;
  postMessage({ kind: "ready" });
}, (error) => postMessage({ kind: "error", text: `the sampler does not start in this browser: ${error.message}` }));
