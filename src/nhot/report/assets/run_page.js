// The page of `nhot report`: one section per stored run.
"use strict";

function chainLabel(observable, k) {
  return observable.per_pair ? `chains ${2 * k + 1}, ${2 * k + 2}` : `chain ${k + 1}`;
}

function traceChart(observable) {
  const { moves, chains } = observable.trace;
  const warm = moves.length && moves[0] < 0;
  const sampled = chains.flatMap((y) => y.filter((v, k) => moves[k] >= 0 && v !== null));
  const [lowest, highest] = sampled.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const margin = 0.08 * (highest - lowest) || 1;
  return chart({
    title: "Trace",
    xLabel: "moves" + (warm ? " (below zero: warm-up)" : ""),
    xName: "moves",
    yLabel: observable.name,
    x: moves,
    rules: warm ? [{ value: 0, axis: "x" }] : [],
    yRange: sampled.length ? () => [lowest - margin, highest + margin] : undefined,
    series: chains.map((y, k) => ({ label: chainLabel(observable, k), y, colour: k, width: 1, dash: k >= 7 ? 1 : 0 })),
    caption: "Lowest and highest value of every stretch of the run" + (chains.length < observable.ranks.total ? `; the first ${chains.length} of ${observable.ranks.total} series.` : "."),
  });
}

function rankChart(observable) {
  const { bins, draws, chains } = observable.ranks;
  const expected = draws / bins;
  const x = Array.from({ length: bins + 1 }, (_, k) => (100 * k) / bins);
  return chart({
    title: "Ranks",
    xLabel: "rank among all draws (%)",
    xName: "rank, %",
    yLabel: "share of an even spread",
    x,
    xRange: [0, 100],
    rules: [{ value: 1 }],
    series: chains.map((counts, k) => ({
      label: chainLabel(observable, k),
      y: [...counts, counts[bins - 1]].map((n) => n / expected),
      colour: k, width: 1.4, kind: "steps", dash: k >= 7 ? 1 : 0,
    })),
    yRange: (_, high) => [0, Math.max(1.5, high * 1.05)],
    caption: "Chains that sample one law stay near 1.",
  });
}

function autocorrelationChart(observable, perMove) {
  const { lag_moves, mean, sd } = observable.autocorrelation;
  const timed = perMove > 0;
  return chart({
    title: "Autocorrelation",
    xLabel: timed ? "lag in CPU time" : "lag (moves)",
    xName: timed ? "lag" : "lag, moves",
    yLabel: "autocorrelation",
    x: timed ? lag_moves.map((lag) => lag * perMove) : lag_moves,
    xTime: timed,
    xLog: "switch",
    rules: [{ value: 0 }],
    yRange: (low) => [Math.min(-0.1, Math.max(-0.5, low)), 1.02],
    series: [{ label: "mean over chains", y: mean, sd, colour: 0 }],
    caption: "Of each chain by itself, then averaged; bars: standard deviation over chains.",
  });
}

function growthChart(observable, perMove, chains) {
  const { moves, bulk, tail } = observable.ess_growth;
  const timed = perMove > 0;
  return chart({
    title: "Effective draws",
    xLabel: timed ? "CPU time, all chains" : "moves per chain",
    xName: timed ? "CPU time" : "moves",
    yLabel: "effective draws",
    x: timed ? moves.map((count) => count * perMove * chains) : moves,
    xTime: timed,
    series: [
      { label: "bulk", y: bulk, colour: 0 },
      { label: "tail", y: tail, colour: 1, dash: 1 },
    ],
    yRange: (_, high) => [0, high * 1.05],
    caption: "Straight lines: the chains mix.",
  });
}

function lengthChart(run) {
  const rows = run.acceptance_by_length;
  if (rows.length < 2) return null;
  return chart({
    title: "Acceptance by walk length",
    xLabel: "walk length k (steps each way)",
    xName: "length",
    yLabel: "share accepted",
    x: rows.map((r) => r[0]),
    series: [{ label: "accepted", y: rows.map((r) => r[3] / r[2]), colour: 0, kind: "bars" }],
    yRange: () => [0, 1.02],
    caption: "From the last move before every kept draw.",
  });
}

function section(run, index) {
  const perMove = run.cpu_seconds > 0 && run.moves > 0 ? run.cpu_seconds / (run.moves * run.chains) : 0;
  const facts =
    `${run.model.name}: ${format(run.model.sites, 7)} sites, ${format(run.model.couplings, 7)} couplings; ` +
    `${run.groups ? run.groups.text : "distance " + format(run.distance, 7)} from ${run.reference}, beta ${format(run.beta, 5)}. ${run.chains} chain${run.chains === 1 ? "" : "s"} of ` +
    `${format(run.moves, 7)} moves after ${format(run.warmup, 7)} of warm-up, one draw every ${run.thin === 1 ? "move" : format(run.thin, 7) + " moves"}, seed ${run.seed}.`;
  const speed = perMove > 0
    ? `Move ${run.move}, acceptance ${format(run.acceptance, 4)}, ${format(run.ns_per_step, 3)} ns per step, ${format(run.cpu_seconds, 3)} CPU seconds. Lowest energy ${format(run.best_energy, 7)}.`
    : `Move ${run.move}.`;
  const parts = [
    element("h2", { id: `run${index}` }, run.file),
    element("p.quiet", facts),
    element("p.quiet", speed),
    run.finished ? null : element("p", "This run goes on or was killed: the page shows what it had written."),
    verdictBox(run.converged, run.reasons),
    observableTable(run.series),
  ];
  for (const observable of run.series) {
    parts.push(element("h3", observable.name), element("p.quiet", observable.help));
    parts.push(grid(2, traceChart(observable), rankChart(observable), autocorrelationChart(observable, perMove), growthChart(observable, perMove, run.chains)));
  }
  const lengths = lengthChart(run);
  if (lengths) parts.push(element("h3", "Walks"), grid(2, lengths));
  if (run.picture) {
    const gallery = stateGallery(run.picture);
    if (gallery) parts.push(element("h3", "States"), gallery);
    if (run.picture.filters)
      parts.push(
        element("h3", "Filters"),
        element("p.quiet", "Weights of the first hidden units as images of the visible layer: blue negative, orange positive, one scale."),
        filterGallery(run.picture.layout, run.picture.filters)
      );
  }
  parts.push(
    element("h3", "Run it again"),
    commandBox(run.command),
    element("details", element("summary", "Resolved options"), optionTable(run.options))
  );
  return parts.filter(Boolean);
}

function buildPage() {
  page.append(element("h1", pageData.title), element("p.quiet", `nhot ${pageData.version}`));
  if (pageData.runs.length > 1)
    page.append(element("nav", pageData.runs.map((run, k) => element("a", { href: `#run${k}` }, run.file))));
  pageData.runs.forEach((run, k) => page.append(...section(run, k)));
}

buildPage();
