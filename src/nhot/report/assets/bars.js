// Horizontal bars as text and boxes: they take any label, print, and are read aloud row by row.
"use strict";

const shownBars = 20;

/** Where 0 lies and how long a unit is, in percent, so that all bars with their errors fit. */
function barScale(rows, most) {
  const ends = rows.flatMap((r) => (Number.isFinite(r.value) ? [r.value - (r.error || 0), r.value + (r.error || 0), r.value] : []));
  const low = Math.min(0, ...ends.map((v) => Math.max(v, -largestNumber)));
  const high = most === undefined ? Math.max(0, ...ends.map((v) => Math.min(v, largestNumber))) : most;
  const range = high - low;
  const at = (v) => (range > 0 ? Math.max(0, Math.min(100, (100 * (v - low)) / range)) : 0);
  return { at, zero: at(0) };
}

function barRow(row, scale) {
  const known = Number.isFinite(row.value);
  const end = known ? scale.at(row.value) : 0;
  const [left, right] = [Math.min(scale.zero, end), Math.max(scale.zero, end)];
  const fill = `left: ${left}%; width: ${right - left}%; background: var(--c${(row.colour || 0) % 7})`;
  const error = known && row.error > 0 ? [scale.at(row.value - row.error), scale.at(row.value + row.error)] : null;
  return element(
    row.quiet ? "tr.quiet-bar" : "tr",
    element("th", { scope: "row", title: row.label }, row.label),
    element(
      "td.track",
      { "aria-hidden": "true" },
      known ? element("span.bar", { style: fill }) : null,
      error ? element("span.whisker", { style: `left: ${error[0]}%; width: ${error[1] - error[0]}%` }) : null
    ),
    element("td.number", known ? row.text : "unknown")
  );
}

/**
 * A figure of bars. rows: [{label, value, text, error, colour, quiet}]; `most`: the value of a full bar; only the
 * first `shownBars` are there until the reader asks for the others.
 */
function barFigure({ title, rows, caption, most }) {
  const scale = barScale(rows, most);
  const body = element("tbody", rows.slice(0, shownBars).map((row) => barRow(row, scale)));
  const head = element("div.head", element("b", title));
  if (rows.length > shownBars) {
    const button = element("button", `show all ${rows.length}`, {
      type: "button",
      "aria-expanded": "false",
      onclick: () => {
        const all = button.getAttribute("aria-expanded") === "false";
        button.setAttribute("aria-expanded", String(all));
        button.textContent = all ? `show the first ${shownBars}` : `show all ${rows.length}`;
        body.replaceChildren(...rows.slice(0, all ? rows.length : shownBars).map((row) => barRow(row, scale)));
      },
    });
    head.append(element("span", button));
  }
  const long = rows.some((row) => row.label.length > 24);
  return element(long ? "figure.bars.long" : "figure.bars", { "aria-label": title }, head, element("table", body), caption ? element("figcaption", caption) : null);
}

/** Bars of a column of a table of text, labelled by its first column; [] where no number is known. */
function columnBars(part, heading, errorHeading) {
  if (!part) return [];
  const [heads, ...rows] = part.table;
  const [at, errorAt] = [heads.indexOf(heading), heads.indexOf(errorHeading)];
  if (at < 0) return [];
  const number = (text) => (text === undefined ? NaN : Number(text.replaceAll(",", "")));
  const list = rows.map((cells, k) => ({
    label: cells[0],
    value: number(cells[at]),
    error: errorAt < 0 ? 0 : number(cells[errorAt]),
    text: errorAt < 0 || cells[errorAt] === "-" ? cells[at] : `${cells[at]} ± ${cells[errorAt]}`,
    row: k,
  }));
  return list.some((r) => Number.isFinite(r.value)) ? list : [];
}
