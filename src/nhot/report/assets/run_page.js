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
    lanes: "first",
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
      colour: k, width: 1.6, kind: "steps", dash: k,
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

function histogramChart(run) {
  const { edges, share } = run.histogram;
  if (share.length < 2) return null;
  return chart({
    title: "Energy histogram",
    xLabel: "energy",
    yLabel: "share of draws",
    x: edges,
    series: [{ label: "share", y: [...share, share[share.length - 1]], colour: 0, kind: "steps", fill: true }],
    yRange: (_, high) => [0, high * 1.05],
    caption: "All draws of all chains after the warm-up.",
  });
}

function speedBars(run) {
  const rows = columnBars(run.text.observables, "ESS/s");
  if (!rows.length) return null;
  return barFigure({ title: "Effective draws per CPU second", rows, caption: "Of each observable: the slowest of them counts." });
}

/** What the exchanges of a tempering run say. */
function ladderSection(run) {
  const ladder = run.ladder;
  if (!ladder) return [];
  const pairs = ladder.swap_rate.map((rate, k) => ({
    label: `${format(ladder.beta[k], 3)} – ${format(ladder.beta[k + 1], 3)}`, value: rate, text: format(rate, 3), colour: 0,
  }));
  const flow = ladder.round_trips.map((trips, k) => ({ label: `beta ${format(ladder.beta[k], 3)}`, value: trips, text: format(trips, 7), colour: 2 })).slice(1);
  return [
    element("h3", "Temperatures"),
    element("div", textTable(run.text.ladder.table), element("p.quiet", run.text.ladder.note)),
    grid(
      2,
      pairs.length ? barFigure({ title: "Swap rate between neighbours", rows: pairs, most: 1, caption: "By beta. A pair near 0 cuts the ladder in two: another rung between them helps." }) : null,
      flow.length ? barFigure({ title: "Replica flow", rows: flow, caption: "Trips from the hot end to this beta or beyond and back, over all ladders. Where the bars fall steeply, replicas do not get through." }) : null,
      ladder.beta.length > 1
        ? chart({
            title: "Energy along the ladder", xLabel: "beta", yLabel: "mean energy", x: ladder.beta,
            series: [{ label: "mean energy", y: ladder.energy, sd: ladder.energy_error, colour: 0 }], caption: "Bars: standard errors.",
          })
        : null,
      ladder.beta.length > 1
        ? chart({
            title: "Communication barrier", xLabel: "beta", yLabel: "barrier from the hot end", x: ladder.beta,
            series: [{ label: "barrier", y: ladder.barrier, colour: 1 }], yRange: (_, high) => [0, high * 1.05],
            caption: "It rises most where exchanges are refused most: there the ladder needs its rungs.",
          })
        : null
    ),
  ];
}

function observableSections(run, perMove) {
  return run.series.flatMap((observable) => [
    element("h3", observable.name),
    element("p.quiet", observable.help),
    grid(2, traceChart(observable), rankChart(observable), autocorrelationChart(observable, perMove), growthChart(observable, perMove, run.chains)),
  ]);
}

function section(run, index) {
  const perMove = run.cpu_seconds > 0 && run.moves > 0 ? run.cpu_seconds / (run.moves * run.chains) : 0;
  const { text } = run;
  const lengths = lengthChart(run);
  return [
    pageData.runs.length > 1 ? element("h2", { id: `run${index}` }, run.file) : null,
    run.finished ? null : element("p", "This run goes on or was killed: the page shows what it had written."),
    partNode(text.problem),
    partNode(text.verdict),
    partNode(text.observables),
    partNode(text.outcome),
    notesNode(text.notes),
    grid(2, histogramChart(run), speedBars(run)),
    ...ladderSection(run),
    ...statesSection(run),
    ...observableSections(run, perMove),
    ...(lengths ? [element("h3", "Walks"), grid(2, lengths)] : []),
    ...(run.picture && run.picture.filters
      ? [
          element("h3", "Filters"),
          element("p.quiet", "Weights of the first hidden units as images of the visible layer: blue negative, orange positive, one scale."),
          filterGallery(run.picture.layout, run.picture.filters),
        ]
      : []),
    ...againNodes(run, "h3"),
  ].filter(Boolean);
}

function buildPage() {
  page.append(...pageHead());
  if (pageData.runs.length > 1)
    page.append(element("nav", pageData.runs.map((run, k) => element("a", { href: `#run${k}` }, run.file))));
  pageData.runs.forEach((run, k) => page.append(...section(run, k)));
}

buildPage();
