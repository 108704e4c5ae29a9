// The two samplers in numbers: a table that fills as draws come, and what they amount to in a sentence.
"use strict";

/** [mean, error] of the energy as it is shown, per site or of the whole. */
function energyText({ mean, error }, scale) {
  if (!Number.isFinite(mean) || !Number.isFinite(error)) return "–";
  return `${formatTo(mean / scale, error / scale)} ±\u00a0${formatTo(error / scale, error / scale)}`;
}

const perSecond = ({ ess, used, thin, cost }) => ess / ((used * thin * cost) / 1000);

/** The rows of the table: what is shown, and the text for one sampler. */
function tableRows(scale) {
  return [
    [scale > 1 ? "mean energy per site" : "mean energy", (s) => energyText(s, scale), "energy"],
    ["accepted moves", (s) => (s.acceptance >= 0 ? `${format(100 * s.acceptance, 3)}%` : "–"), "acceptance"],
    ["autocorrelation time", (s) => (s.tau_known ? durationText((s.tau * s.thin * s.cost) / 1000) : "too long to say yet"), "tau"],
    ["independent draws a second", (s) => (s.tau_known ? format(perSecond(s), 3) : "–"), "ess"],
    ["a step takes", (s) => durationText((s.cost / s.stepsPerMove) / 1000), "step"],
    ["moves so far", (s) => s.moves.toLocaleString("en-US"), "moves"],
    ["computing time so far", (s) => durationText(s.cpu / 1000), "cpu"],
  ];
}

function fillTable(table, names, samplers, scale) {
  const rows = tableRows(scale);
  if (table.dataset.scale !== String(scale)) {
    table.dataset.scale = scale;
    table.querySelectorAll("thead, tbody").forEach((part) => part.remove());
    table.append(
      element("thead", element("tr", element("td"), names.map((name, k) => element("th", { scope: "col" }, element(`span.swatch.c${samplerColours[k]}`), name)))),
      element("tbody", rows.map(([label, , key]) =>
        element("tr", element("th", { scope: "row" }, label), names.map((_, k) => element("td", "–", { id: `${key}${k}` })))))
    );
  }
  for (const [, text, key] of rows)
    samplers.forEach((sampler, k) => (document.getElementById(`${key}${k}`).textContent = text(sampler)));
}

/** Who is ahead, in words, and whether the means agree. */
function leadText(names, samplers) {
  if (samplers.some((s) => !s.tau_known || !(s.ess >= 50)))
    return samplers.some((s) => s.moves > 0 && s.cpu > 5000)
      ? "At least one of the two has not forgotten its past yet: too few independent draws to compare."
      : "Too early to compare: the draws have only begun.";
  const gap = Math.abs(samplers[0].mean - samplers[1].mean) / Math.hypot(samplers[0].error, samplers[1].error);
  const differ = `Their mean energies differ by ${format(gap, 2)} standard errors`;
  if (gap > 3) return `${differ}: at least one of the two has not seen enough of the states, and no comparison holds.`;
  const rates = samplers.map(perSecond);
  const ahead = rates[0] > rates[1] ? 0 : 1;
  const ratio = rates[ahead] / rates[1 - ahead];
  // By Sokal's estimate of the error of tau, with his window of 5 tau: var(tau) / tau^2 = 20 / ESS.
  const error = Math.sqrt(samplers.reduce((sum, { ess }) => sum + 20 / ess, 0));
  const undecided = error < 0.1 ? "The two are level in independent draws a second." : "Who gets more independent draws a second is not certain yet.";
  const lead = ratio < 1 + 2 * error
    ? undecided
    : `${names[ahead]} gets ${format(ratio, 2)} times as many independent draws a second as ${names[1 - ahead]}.`;
  return `${lead} ${differ}${gap < 2 ? ": they agree" : ", which chance may do"}.`;
}
