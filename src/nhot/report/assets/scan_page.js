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
      dash: k >= 7 ? 1 : 0,
    })),
    caption,
  });
}

function pointTable() {
  const of = (name) => (k) => columns[name][k];
  const list = [
    { head: "beta", cell: (k) => format(of("beta")(k), 7) },
    { head: "n", cell: (k) => format(of("distance")(k), 9) },
  ];
  if (columns.energy_mean)
    list.push(
      { head: "mean energy", cell: (k) => formatTo(of("energy_mean")(k), of("energy_mcse")(k)) },
      { head: "error", cell: (k) => format(of("energy_mcse")(k), 2) },
      { head: "sd", cell: (k) => format(of("energy_sd")(k), 4) },
      { head: "ESS bulk", cell: (k) => format(of("energy_ess_bulk")(k), 4) },
      { head: "R\u2011hat", cell: (k) => format(of("energy_rhat")(k), 4), mark: (k) => rhatMark(of("energy_rhat")(k)) },
      { head: "acceptance", cell: (k) => format(of("acceptance")(k), 4) }
    );
  if (columns.converged)
    list.push({ head: "converged", cell: (k) => (of("converged")(k) ? "yes" : "no"), mark: (k) => (of("converged")(k) ? "good" : "bad") });
  list.push({ head: "seed", cell: (k) => String(of("seed")(k)) });
  return table(list, points);
}

function buildPage() {
  page.append(
    element("h1", pageData.title),
    element("p.quiet", `nhot ${pageData.version}. ${pageData.model}: ${points.length} points, each a run of its own with its own seed.`),
    pointTable(),
    element("h2", "Figures"),
    grid(
      2,
      ...[
        scanChart("Energy", "energy_mean", "mean energy", "energy_mcse", "Bars: standard error."),
        scanChart("Spread of the energy", "energy_sd", "sd of the energy", null, "Its square times beta\u00b2 is the heat capacity."),
        scanChart("Autocorrelation time", "energy_tau_moves", "tau of the energy (moves)", null, "Integrated, of the energy."),
        scanChart("Acceptance", "acceptance", "share accepted", null, "Over all moves of all chains."),
      ].filter(Boolean)
    ),
    element("h3", "Run it again"),
    commandBox(pageData.command),
    element("details", element("summary", "Resolved options"), optionTable(pageData.options))
  );
}

buildPage();
