// The page of a scan: every quantity against beta or the distance, and the table of points.
"use strict";

const columns = pageData.columns;
const points = columns.beta.map((_, k) => k);
const differ = (name) => new Set(columns[name]).size > 1;

/** The axis of the figures; the other option, where it varies too, tells the lines apart. */
const axis = differ("beta") || !differ("distance") ? "beta" : "distance";
const other = axis === "beta" ? "distance" : "beta";
const axisName = { beta: "beta", distance: "n" };
const groups = [...new Set(columns[other])];
const places = [...new Set(columns[axis])].sort((a, b) => a - b);

/** The values of a column along the axis, one list per group; null where a point is missing. */
function along(name, group) {
  return places.map((place) => {
    const k = points.find((p) => columns[axis][p] === place && columns[other][p] === group);
    return k === undefined ? null : columns[name][k];
  });
}

function scanChart(title, name, yLabel, error, caption) {
  if (!columns[name] || columns[name].every((v) => v === null)) return null;
  return chart({
    title,
    xLabel: axisName[axis],
    xName: axisName[axis],
    yLabel,
    x: places,
    series: groups.map((group, k) => ({
      label: groups.length > 1 ? `${axisName[other]} = ${format(group, 6)}` : yLabel,
      y: along(name, group),
      sd: error && columns[error] ? along(error, group) : undefined,
      colour: k,
      dash: k,
    })),
    caption,
  });
}

function buildPage() {
  const charts = [
    scanChart("Energy", "energy_mean", "mean energy", "energy_mcse", "Bars: standard error."),
    scanChart("Spread of the energy", "energy_sd", "sd of the energy", null, "Its square times beta\u00b2 is the heat capacity."),
    scanChart("Autocorrelation time", "energy_tau_moves", "tau of the energy (moves)", null, "Integrated, of the energy."),
    scanChart("Acceptance", "acceptance", "share accepted", null, "Over all moves of all chains."),
    scanChart("log Z", "log_z", "log Z", "stderr", "Bars: standard error."),
    scanChart("Effective share", "effective_share", "effective share", null, "Effective members of a population at the end, of all."),
  ].filter(Boolean);
  page.append(
    ...pageHead(`. ${pageData.model}: ${points.length} points, each a run of its own with its own seed.`),
    partNode(pageData.text.points),
    element("h2", "Figures"),
    grid(2, ...charts),
    ...againNodes(pageData)
  );
}

buildPage();
