// The page: its controls, what the worker sends, and where it goes.
"use strict";

const names = ["swap", "im"];
const at = (id) => document.getElementById(id);
const paces = [1, 10, 100, 1000, 10_000, 100_000, null]; // moves of im a second; null: all there is
const mostLength = 200;

// What the controls say; the address may bring some of it: index.html#model=glass3&T=0.8&k=2&seed=5
const chosen = { model: "lattice", size: 60, T: 2.27, k: 10, mixed: false, n: 1800, pace: 6, fair: "cpu", seed: 1, run: true };
let model = null; // as made for the chosen size
let pictures = [];
let shown = [null, null]; // bits of the last frame
let samplersNow = []; // what the last numbers were
let round = 0; // counts what begins new draws: later messages of an earlier round are dropped
let ready = false;
const answers = []; // who waits for draws

/* Scales of the sliders: positions even in the logarithm. */
const sliderEnd = 200;
const fromSlider = (position, [low, high]) => low * (high / low) ** (position / sliderEnd);
const toSlider = (value, [low, high]) => (sliderEnd * Math.log(value / low)) / Math.log(high / low);
const rounded = (value) => Number(value.toPrecision(3));
const longest = () => Math.max(1, Math.min(mostLength, chosen.n, model.sites - chosen.n));

const beta = () => 1 / chosen.T;
const walk = () => `im:length=${chosen.mixed && chosen.k > 1 ? "1.." : ""}${chosen.k}`;
const kind = () => models[chosen.model];
const scale = () => (kind().perSite ? model.sites : 1);

const worker = (() => {
  const text = at("worker").textContent;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const made = new Worker(address);
  URL.revokeObjectURL(address);
  return made;
})();

function send(command, message = {}) {
  if (ready) worker.postMessage({ command, ...message });
}

/** What is drawn from here on is of another law, or another run. */
function nextRound() {
  samplersNow = [];
  return ++round;
}

/** Chains of the chosen model from their first states on. */
function startAgain() {
  if (!ready) return;
  shown = [null, null];
  send("start", {
    model,
    distance: chosen.n,
    beta: beta(),
    seed: chosen.seed,
    moves: ["swap", walk()],
    round: nextRound(),
    ...pacing(),
  });
  showCommands();
}

const pacing = () => ({ run: chosen.run && !document.hidden, fair: chosen.fair, pace: paces[chosen.pace] });

/* What the controls show. */

function showValues() {
  const { range, critical } = kind();
  at("temperature").value = toSlider(chosen.T, range);
  at("temperature").setAttribute("aria-valuetext", `temperature ${chosen.T}`);
  at("temperatureText").textContent = format(chosen.T, 3);
  at("mark").replaceChildren(...(critical ? ["▴ T", element("sub", "c"), ` ${format(critical, 3)}`] : []));
  at("mark").style.setProperty("--place", critical ? toSlider(critical, range) / sliderEnd : 0);
  for (const chip of at("presets").children) chip.setAttribute("aria-pressed", String(Number(chip.value) === chosen.T));
  at("length").value = longest() > 1 ? toSlider(chosen.k, [1, longest()]) : 0;
  at("length").setAttribute("aria-valuetext", `length ${chosen.k}`);
  at("lengthText").textContent = chosen.mixed && chosen.k > 1 ? `1 to ${chosen.k}` : String(chosen.k);
  at("mixed").checked = chosen.mixed;
  at("ones").max = model.sites - 1;
  at("ones").value = chosen.n;
  at("onesText").textContent = `${chosen.n.toLocaleString("en-US")} of ${model.sites.toLocaleString("en-US")}`;
  at("pace").value = chosen.pace;
  const pace = paces[chosen.pace];
  at("paceText").textContent = pace === null ? "full" : `${pace.toLocaleString("en-US")} ${pace > 1 ? "walks" : "walk"} a second`;
  at("pace").setAttribute("aria-valuetext", at("paceText").textContent);
  at("seed").value = chosen.seed;
  at("run").textContent = chosen.run ? "Pause" : "Go on";
  for (const radio of document.querySelectorAll("input[name=fair]")) radio.checked = radio.value === chosen.fair;
}

/** The same draws from the command line; a graph has to go there as a file. */
function showCommands() {
  const file = model.terms ? "graph.coo" : null;
  at("commandText").replaceChildren(
    "From the moment of ", element("em", "start again"), " on, and until a knob is turned, this page draws exactly what these commands draw",
    ...(file ? [": of ", element("a", "this graph", { download: file, href: `data:text/plain,${encodeURIComponent(cooText(model))}` }), " as a file."] : ["."])
  );
  at("commands").replaceChildren(
    ...["swap", walk()].map((move) =>
      commandBox(`nhot sample ${file || model.spec} -n ${chosen.n} --beta ${beta()} --move ${move} --seed ${chosen.seed} --chains 1 --warmup 0 --seconds 5`))
  );
}

/** A graph in the COO format of doc/formats.md. */
function cooText({ sites, terms }) {
  const lines = terms.linear.map((value, i) => (value ? `${i} ${i} ${value}` : null)).filter((line) => line);
  terms.pairs.forEach(([i, j], k) => lines.push(`${i} ${j} ${terms.values[k]}`));
  return `# vartype=BINARY\n# sites=${sites}\n${lines.join("\n")}\n`;
}

/** Another model or size: its own range of temperatures, walks and ones. */
function setModel(defaults) {
  const { sizes, sizeText, make, range, tries, text } = kind();
  if (!sizes.includes(chosen.size)) chosen.size = kind().size;
  model = make(chosen.size);
  if (defaults) Object.assign(chosen, { T: kind().temperature, k: kind().length, n: Math.round(kind().share * model.sites) });
  chosen.n = Math.max(1, Math.min(model.sites - 1, chosen.n));
  chosen.k = Math.min(chosen.k, longest());
  chosen.T = Math.max(range[0], Math.min(range[1], chosen.T));
  at("model").value = chosen.model;
  at("size").replaceChildren(...sizes.map((size) => element("option", sizeText(size), { value: size })));
  at("size").value = chosen.size;
  at("presets").replaceChildren(
    ...tries.map(([name, T]) => element("button", `${name}, T = ${T}`, { type: "button", value: T, onclick: () => setTemperature(T) }))
  );
  at("modelText").replaceChildren(element("p", text));
  fillTable(at("table"), names, [], scale());
  pictures = names.map((_, k) => statePicture(at(`picture${k}`), model));
  showValues();
  startAgain();
}

function setTemperature(T) {
  chosen.T = T;
  showValues();
  send("temperature", { beta: beta(), round: nextRound() });
  showCommands();
}

function setWalk() {
  showValues();
  send("move", { move: walk(), round: nextRound() });
  showCommands();
}

function setPacing() {
  showValues();
  send("settings", pacing());
}

/* What the worker sends. */

const charts = {
  trace: liveChart({
    title: "Energy as it is drawn",
    caption: "Both begin with a random state and fall to the energies that the temperature allows. Shaded: left out as warm-up.",
    xLabel: "computing time",
    names,
  }),
  autocorrelation: liveChart({
    title: "How fast a draw is forgotten",
    caption: "Autocorrelation of the energy after some computing time: the sooner it falls to 0, the more independent draws a second.",
    xLabel: "computing time between two draws",
    names,
  }),
};

const messages = {
  ready() {
    ready = true;
    startAgain();
  },
  frame({ states }) {
    states.forEach(({ bits, moves }, k) => {
      // In slow motion what has just changed is marked.
      const few = paces[chosen.pace] !== null && paces[chosen.pace] <= 100 && shown[k];
      pictures[k](bits, few ? bits.map((bit, i) => bit ^ shown[k][i]) : null);
      shown[k] = bits;
      at(`rate${k}`).textContent = `${moves.toLocaleString("en-US")} moves`;
    });
  },
  numbers({ numbers, traces, autocorrelations, horizon, warming }) {
    samplersNow = numbers;
    fillTable(at("table"), names, numbers, scale());
    const lead = leadText(names, numbers);
    if (at("lead").textContent !== lead) at("lead").textContent = lead;
    numbers.forEach((s, k) => at(`picture${k}`).setAttribute("aria-label", `state of ${names[k]}, energy ${format(s.energy / scale(), 4)}`));
    const times = traces.flatMap(({ x }) => [x[0], x[x.length - 1]]).filter((time) => time > 0);
    const perSite = traces.map(({ x, y }) => ({ x, y: y.map((energy) => energy / scale()) }));
    charts.trace.update({
      curves: perSite,
      earliest: numbers.some((s) => s.used === s.draws) ? Math.min(...times) : 0,
      longest: Math.max(0, ...times),
      shaded: warming,
      heights: settledHeights(perSite, warming),
      yLabel: kind().perSite ? "energy per site" : "energy",
    });
    charts.autocorrelation.update({ curves: autocorrelations, earliest: 0, longest: horizon, shaded: 0, heights: [-0.25, 1.03], yLabel: "autocorrelation" });
  },
  draws({ moves, thin, energies }) {
    answers.shift()({ moves, thin, energies: [...energies] });
  },
  error({ text }) {
    chosen.run = false;
    showValues();
    at("lead").textContent = text;
  },
};
worker.onmessage = ({ data }) => {
  if (data.round === undefined || data.round === round) messages[data.kind](data);
};

/** All draws kept of a sampler, for programs that look at this page: { thin, energies }. */
function drawsOf(sampler) {
  return new Promise((resolve) => {
    answers.push(resolve);
    send("draws", { sampler });
  });
}

/* The controls. */

function listen() {
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("model").append(...Object.entries(models).map(([id, { label }]) => element("option", label, { value: id })));
  at("model").addEventListener("change", ({ target }) => {
    chosen.model = target.value;
    chosen.size = kind().size;
    setModel(true);
  });
  at("size").addEventListener("change", ({ target }) => {
    const share = chosen.n / model.sites;
    chosen.size = Number(target.value);
    chosen.n = Math.round(share * kind().make(chosen.size).sites);
    setModel(false);
  });
  at("temperature").addEventListener("input", ({ target }) => setTemperature(rounded(fromSlider(Number(target.value), kind().range))));
  at("length").addEventListener("input", ({ target }) => {
    const next = Math.round(fromSlider(Number(target.value), [1, longest()]));
    if (next === chosen.k) return;
    chosen.k = next;
    setWalk();
  });
  at("mixed").addEventListener("change", ({ target }) => {
    chosen.mixed = target.checked;
    setWalk();
  });
  at("ones").addEventListener("input", ({ target }) => {
    chosen.n = Number(target.value);
    chosen.k = Math.min(chosen.k, longest());
    showValues();
    startAgain();
  });
  at("pace").addEventListener("input", ({ target }) => {
    chosen.pace = Number(target.value);
    setPacing();
  });
  for (const radio of document.querySelectorAll("input[name=fair]"))
    radio.addEventListener("change", () => {
      chosen.fair = radio.value;
      setPacing();
      startAgain();
    });
  at("seed").addEventListener("change", ({ target }) => {
    if (!target.reportValidity()) return;
    chosen.seed = Number(target.value);
    startAgain();
  });
  at("run").addEventListener("click", () => {
    chosen.run = !chosen.run;
    setPacing();
  });
  at("again").addEventListener("click", startAgain);
  document.addEventListener("visibilitychange", setPacing);
  redraws.push(() => shown.forEach((bits, k) => bits && pictures[k](bits, null)));
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (models[given.get("model")]) chosen.model = given.get("model");
  const size = Number(given.get("size"));
  chosen.size = kind().sizes.includes(size) ? size : kind().size;
  const sites = kind().make(chosen.size).sites;
  Object.assign(chosen, { T: kind().temperature, k: kind().length, n: Math.round(kind().share * sites) });
  for (const name of ["T", "k", "n", "seed"]) {
    const value = Number(given.get(name));
    if (given.has(name) && value > 0 && (name === "T" || Number.isSafeInteger(value))) chosen[name] = value;
  }
  if (given.get("pause") === "yes" || matchMedia("(prefers-reduced-motion: reduce)").matches) chosen.run = false;
}

at("charts").append(charts.trace.figure, charts.autocorrelation.figure);
listen();
readAddress();
setModel(false);
