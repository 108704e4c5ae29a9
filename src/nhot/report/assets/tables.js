// Tables of results.
"use strict";

/** columns: [{head, cell(row) -> text or node, mark(row) -> "good" | "bad" | ""}]. */
function table(columns, rows) {
  const head = element("tr", columns.map((c) => element("th", { scope: "col" }, c.head)));
  const body = rows.map((row) =>
    element("tr", columns.map((c) => {
      const mark = c.mark ? c.mark(row) : "";
      return element(mark ? `td.${mark}` : "td", c.cell(row));
    }))
  );
  return element("div.scroll", { tabindex: 0 }, element("table.data", element("thead", head), element("tbody", body)));
}

const milliseconds = (seconds) => format(typeof seconds === "number" ? 1e3 * seconds : null, 3);
const rhatMark = (rhat) => (rhat === null || rhat === undefined ? "" : rhat < 1.01 ? "good" : "bad");

/** The table of observables of one run. */
function observableTable(observables) {
  const of = (name) => (row) => row.summary[name];
  return table(
    [
      { head: "observable", cell: (r) => r.name },
      { head: "mean", cell: (r) => formatTo(r.summary.mean, r.summary.mcse) },
      { head: "error", cell: (r) => format(of("mcse")(r), 2) },
      { head: "sd", cell: (r) => format(of("sd")(r), 4) },
      { head: "R\u2011hat", cell: (r) => format(of("rhat")(r), 4), mark: (r) => rhatMark(r.summary.rhat) },
      { head: "ESS bulk", cell: (r) => format(of("ess_bulk")(r), 4) },
      { head: "ESS tail", cell: (r) => format(of("ess_tail")(r), 4) },
      { head: "tau (moves)", cell: (r) => format(of("tau_moves")(r), 3) },
      { head: "tau (CPU\u00a0ms)", cell: (r) => milliseconds(of("tau_seconds")(r)) },
      { head: "ESS per CPU\u00a0s", cell: (r) => format(of("ess_per_second")(r), 3) },
    ],
    observables
  );
}

const signed = (text) => (text.startsWith("-") || text === "–" || text === "0" ? text : "+" + text);

/** The table of samplers of one comparison, with their distance from the true mean energy where that is known. */
function samplerTable(samplers, trials, reference) {
  const energy = (r) => r.observables.energy;
  const far = (r) => (Math.abs(r.errors_from_reference) >= 4 ? "bad" : "");
  const offReference = [
    { head: "off the true mean", cell: (r) => signed(formatTo(r.from_reference, energy(r).mcse)), mark: far },
    { head: "in errors", cell: (r) => signed(format(r.errors_from_reference, 2)), mark: far },
  ];
  return table(
    [
      { head: "sampler", cell: (r) => [r.colour === null ? null : element("span.swatch", { style: `background: var(--c${r.colour})` }), r.label] },
      { head: `moves per ${trials}`, cell: (r) => format(r.moves + r.warmup, 4) },
      { head: "per IM move", cell: (r) => format(r.attempts_per_move, 3) },
      { head: "acceptance", cell: (r) => format(r.acceptance, 3) },
      { head: "ns per step", cell: (r) => format(r.ns_per_step, 3) },
      { head: "mean energy", cell: (r) => `${formatTo(energy(r).mean, energy(r).mcse)} ± ${format(energy(r).mcse, 2)}` },
      ...(reference ? offReference : []),
      { head: "tau (CPU\u00a0ms)", cell: (r) => milliseconds(r.tau_seconds) },
      { head: "ESS per CPU\u00a0s", cell: (r) => format(r.ess_per_second, 3) },
      { head: "R\u2011hat", cell: (r) => format(r.rhat, 4), mark: (r) => rhatMark(r.rhat) },
      { head: "CPU\u00a0s", cell: (r) => format(r.cpu_seconds, 3) },
      { head: "converged", cell: (r) => (r.converged ? "yes" : "no"), mark: (r) => (r.converged ? "good" : "bad") },
    ].filter((c) => c.head !== "per IM move" || pageData.kind === "reproduce"),
    samplers
  );
}

/** The value of an option: numbers that were measured or computed keep seven digits. */
function optionText(value) {
  const words = String(value).split(/([ ,])/);
  const long = (word) => /^-?\d*\.?\d+(e[-+]?\d+)?$/i.test(word) && word.replace(/e.*|\D/gi, "").length > 10 && !/^-?\d+$/.test(word);
  return words.map((word) => (long(word) ? String(Number(Number(word).toPrecision(7))) : word)).join("");
}

function optionTable(options) {
  const rows = Object.entries(options).map(([name, value]) => element("tr", element("td", name), element("td", optionText(value))));
  return element("div.scroll", element("table.data.words", element("tbody", rows)));
}
