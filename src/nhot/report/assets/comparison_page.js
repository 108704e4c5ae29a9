// The page of `nhot compare` and `nhot reproduce`.
"use strict";

const trial = pageData.kind === "reproduce" ? "trial" : "chain";

/** Where the energies are once the start is forgotten: an even time axis is for these. */
function settledRange(times, samplers) {
  const from = 0.04 * times[times.length - 1];
  const values = samplers.flatMap((s) =>
    times.flatMap((t, k) => {
      const [mean, sd] = [s.series.energy.mean[k], s.series.energy.sd[k] || 0];
      return t >= from && mean !== null ? [mean - sd, mean + sd] : [];
    })
  );
  return values.length ? padded(Math.min(...values), Math.max(...values)) : [0, 1];
}

/** The reference of an experiment that found the true mean energy, or null. */
const referenceOf = (experiment) => (experiment.reference && experiment.reference.converged ? experiment.reference : null);

const referenceText = (reference) => `${formatTo(reference.mean, reference.mcse)} ± ${format(reference.mcse, 2)}`;

/** The captions' word on the reference. */
function referenceCaption(experiment) {
  const reference = referenceOf(experiment);
  if (reference) return ` The dashed grey line is the true mean, ${referenceText(reference)}, by ${reference.how}; the shade, two errors to either side.`;
  return experiment.reference ? " There is no line for the true mean: no reference converged." : "";
}

function energyChart(experiment, samplers, letter) {
  const times = experiment.time_seconds;
  const settled = settledRange(times, samplers);
  const reference = referenceOf(experiment);
  const around = (range) => {
    if (!reference) return range;
    const wide = [reference.mean - 4 * reference.mcse, reference.mean + 4 * reference.mcse];
    return padded(Math.min(range[0], wide[0]), Math.max(range[1], wide[1]));
  };
  const sites = experiment.sites;
  return chart({
    title: `${letter}Energy against CPU time`,
    xLabel: `CPU time of a ${trial}`,
    xName: "CPU time",
    yLabel: "energy (units of the couplings)",
    x: times,
    xTime: true,
    xLog: "first",
    height: 300,
    lanes: samplers.length > 3 ? "first" : "switch",
    yRange: (low, high, log) => around(log ? padded(low, high) : settled),
    rules: reference ? [{ value: reference.mean, band: 2 * reference.mcse }] : [],
    series: samplers.map((s) => ({ label: s.label, y: s.series.energy.mean, sd: s.series.energy.sd, colour: s.colour, dash: s.dash })),
    caption:
      `Mean over ${experiment.trials} ${trial}s that start from random states; the bars are one standard deviation ` +
      `of the ${trial}s at that time, not errors.` +
      (sites ? ` ${format(sites, 6)} sites.` : "") +
      referenceCaption(experiment) +
      " Drag to zoom, double-click to reset.",
  });
}

function autocorrelationChart(experiment, samplers, letter) {
  const lags = experiment.lag_seconds;
  return chart({
    title: `${letter}Autocorrelation of the energy`,
    xLabel: "lag in CPU time",
    xName: "lag",
    yLabel: "autocorrelation",
    x: lags,
    xTime: true,
    xLog: "switch",
    height: 300,
    rules: [{ value: 0 }],
    yRange: (low) => [Math.min(-0.1, Math.max(-0.5, low)), 1.02],
    series: samplers.map((s) => ({
      label: s.label, y: s.series.autocorrelation.mean, sd: s.series.autocorrelation.sd, colour: s.colour, dash: s.dash,
    })),
    caption: `Of each ${trial} by itself, after the warm-up, then averaged; bars: standard deviation over ${trial}s. Lower is better, if the sampler has converged.`,
  });
}

function growthChart(samplers) {
  const x = [...new Set(samplers.flatMap((s) => s.series.ess_growth.cpu_seconds))].sort((a, b) => a - b);
  return chart({
    title: "Effective draws of the energy",
    xLabel: `CPU time, all ${trial}s`,
    xName: "CPU time",
    yLabel: "effective draws",
    x,
    xTime: true,
    series: samplers.map((s) => {
      const at = new Map(s.series.ess_growth.cpu_seconds.map((t, k) => [t, s.series.ess_growth.bulk[k]]));
      return { label: s.label, y: x.map((t) => at.get(t) ?? null), colour: s.colour, dash: s.dash };
    }),
    yRange: (_, high) => [0, high * 1.05],
    caption: "Bulk ESS of the first part of the run, after warm-up. Straight lines: the chains mix. The slope is the speed.",
  });
}

function meansChart(samplers) {
  const count = Math.max(...samplers.map((s) => s.series.chain_means.length));
  return chart({
    title: `Mean energy of every ${trial}`,
    xLabel: trial,
    yLabel: "mean energy",
    x: Array.from({ length: count }, (_, k) => k + 1),
    xRange: [0.5, count + 0.5],
    series: samplers.map((s) => ({ label: s.label, y: s.series.chain_means, colour: s.colour, kind: "dots" })),
    caption: `After warm-up. ${trial === "trial" ? "Trials" : "Chains"} of one law agree; those that sit in different valleys do not.`,
  });
}

function lengthChart(samplers) {
  const walking = samplers.filter((s) => s.series.acceptance_by_length.length > 1);
  if (!walking.length) return null;
  const x = [...new Set(walking.flatMap((s) => s.series.acceptance_by_length.map((r) => r[0])))].sort((a, b) => a - b);
  return chart({
    title: "Acceptance by walk length",
    xLabel: "walk length k (steps each way)",
    yLabel: "share accepted",
    x,
    series: walking.map((s) => {
      const at = new Map(s.series.acceptance_by_length.map((r) => [r[0], r[3] / r[2]]));
      return { label: s.label, y: x.map((l) => at.get(l) ?? null), colour: s.colour, dash: s.dash };
    }),
    yRange: () => [0, 1.02],
    caption: "From the last move before every kept draw.",
  });
}

function overlapCharts(samplers) {
  const shown = samplers.filter((s) => s.series.overlap.between.length);
  const centres = shown.flatMap((s) => s.series.overlap.centre);
  const range = [Math.min(...centres), Math.max(...centres)];
  return shown.map((s) =>
    chart({
      title: `Overlap: ${s.label}`,
      xLabel: "overlap q of two states",
      yLabel: "density",
      xName: "overlap",
      x: s.series.overlap.centre,
      xRange: range,
      height: 210,
      series: [
        { label: `two ${trial}s`, y: s.series.overlap.between, colour: s.colour, kind: "steps", fill: true },
        { label: `one ${trial}, half a run apart`, y: s.series.overlap.within, colour: 6, kind: "steps", dash: 1 },
      ],
      yRange: (_, high) => [0, high * 1.05],
      caption: `Means ${format(s.series.overlap.between_mean, 3)} and ${format(s.series.overlap.within_mean, 3)}.`,
    })
  );
}

function verdicts(experiment, samplers) {
  const { text, reference } = experiment;
  return [
    element("h3", "Verdicts"),
    partNode(text.reference),
    reference && reference.command ? commandBox(reference.command) : null,
    ...samplers.map((s) => partNode(text["verdict of " + s.key])),
  ];
}

/** Effective draws per CPU second of the energy. */
function speedBars(experiment, samplers) {
  const rows = columnBars(experiment.text.samplers, "ESS/s");
  if (!rows.length) return null;
  rows.forEach((row) => (row.colour = samplers[row.row].colour ?? 6));
  return barFigure({ title: "Effective draws per CPU second", rows, caption: "Of the energy. A sampler that has not converged is not faster for a longer bar." });
}

function section(key, experiment) {
  const all = Object.entries(experiment.samplers).map(([name, s]) => ({ key: name, ...s }));
  let next = 0;
  for (const s of all) {
    s.colour = s.in_figures ? next : null;
    s.dash = next;
    if (s.in_figures) next++;
  }
  const shown = all.filter((s) => s.in_figures);
  experiment.trials = all[0].chains;
  const lengths = lengthChart(shown);
  const figure = experiment.figure ? `Figure ${experiment.figure}` : "";
  const facts =
    `${all[0].model.name}: ${format(all[0].model.sites, 7)} sites, ${format(all[0].model.couplings, 7)} couplings; ` +
    `distance ${format(all[0].distance, 7)}, beta ${format(all[0].beta, 4)}; ${all[0].chains} ${trial}s.` +
    (figure ? ` Laid out like the paper's ${figure.toLowerCase()}.` : "");
  const parts = [
    element("h2", { id: key }, experiment.title),
    element("p.quiet", facts),
    sentences(experiment.conclusions),
    grid(2, energyChart(experiment, shown, experiment.figure ? "a. " : ""), autocorrelationChart(experiment, shown, experiment.figure ? "b. " : "")),
    partNode(experiment.text.samplers, all.map((s) => s.colour)),
    grid(2, speedBars(experiment, all), meansChart(shown)),
    ...verdicts(experiment, all),
    grid(2, growthChart(shown), lengths),
    element("h3", "Do the chains see the same states?"),
    element("p.quiet", `Overlap of the states of different ${trial}s, and of one ${trial} with itself half a run later. Where the two differ, the ${trial}s are caught in valleys of their own, whatever the autocorrelation says.`),
    grid(Math.min(4, Math.max(2, shown.length)), overlapCharts(shown)),
  ];
  if (experiment.picture) {
    const picture = experiment.picture;
    parts.push(element("h3", "Last states"));
    parts.push(element("div.pictures", shown.filter((s) => picture.states[s.key]).map((s) => statePicture(picture.layout, picture.states[s.key], s.label))));
    if (picture.filters) {
      parts.push(element("h3", "Filters"));
      parts.push(element("p.quiet", "Weights of the first hidden units as images of the visible layer: blue negative, orange positive, one scale."));
      parts.push(filterGallery(picture.layout, picture.filters));
    }
  }
  parts.push(notesNode(experiment.text.notes));
  return parts;
}

function buildPage() {
  const experiments = Object.entries(pageData.experiments);
  page.append(
    element("h1", pageData.title),
    element("p.quiet", `nhot ${pageData.version}` + (pageData.created_at ? `, ${pageData.created_at.slice(0, 10)}` : "") +
      (pageData.cores ? `, ${pageData.cores} cores` : "") +
      ". Samplers take turns in slices of a few milliseconds, so noise hits all alike; times are CPU time of the moves.")
  );
  if (pageData.interrupted) page.append(element("p", "The run was interrupted: this is what was drawn by then."));
  if (experiments.length > 1)
    page.append(element("nav", experiments.map(([key, e]) => element("a", { href: "#" + key }, e.title))));
  for (const [key, experiment] of experiments) page.append(...section(key, experiment).filter(Boolean));
  page.append(...againNodes(pageData));
}

buildPage();
