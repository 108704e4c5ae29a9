// Tables of results: texts that are those of the command line, with their digits.
"use strict";

/** Good, bad or neither, by the heading of the column. */
function markOf(head, text) {
  const number = Number(text);
  if (head === "converged") return text === "yes" ? "good" : "bad";
  if (!text || Number.isNaN(number)) return "";
  if (head === "R-hat") return number < 1.01 ? "good" : "bad";
  if (head === "in errors") return Math.abs(number) >= 4 ? "bad" : "";
  return "";
}

/** A box that says when there is more to the side than it shows. */
function scrolled(content) {
  const box = element("div.scroll", { tabindex: 0, role: "region", "aria-label": "table" }, content);
  const hint = element("p.more", "More columns: scroll sideways \u2192");
  const whole = element("div.wide", box, hint);
  new ResizeObserver(() => whole.classList.toggle("cut", box.scrollWidth > box.clientWidth + 1)).observe(box);
  box.addEventListener("scroll", () => whole.classList.toggle("end", box.scrollLeft + box.clientWidth >= box.scrollWidth - 2));
  return whole;
}

/** Rows of texts, the first being the heading; swatches: a colour for each row, or null. */
function textTable([heads, ...rows], swatches) {
  const words = heads.map((head) => /^(state|best subsets|ones at|move|sampler|site|predictor|observable)$/.test(head));
  const cell = (text, c, r) => {
    const mark = markOf(heads[c], text);
    const colourOf = c === 0 && swatches ? swatches[r] : null;
    const swatch = colourOf === null || colourOf === undefined ? null : element("span.swatch", { style: `background: var(--c${colourOf})` });
    const kind = [mark, words[c] && c > 0 ? "words" : "", /ones at|best subsets|^move$/.test(heads[c]) ? "long" : ""].filter(Boolean).join(".");
    return element(kind ? `td.${kind}` : "td", swatch, text === "-" ? "–" : text);
  };
  return scrolled(
    element(
      "table.data",
      element("thead", element("tr", heads.map((head, c) => element(words[c] && c > 0 ? "th.words" : "th", { scope: "col" }, head.replace("R-hat", "R\u2011hat"))))),
      element("tbody", rows.map((cells, r) => element("tr", cells.map((text, c) => cell(text, c, r)))))
    )
  );
}

function verdictBox(part) {
  return element(
    part.converged ? "div.verdict.yes" : "div.verdict",
    element("strong", (part.title ? part.title + ": " : "") + (part.converged ? "converged" : "not converged")),
    element("ul", part.reasons.map((r) => element("li", r))),
    part.advice ? element("p", part.advice) : null
  );
}

/** A part of the text as the page shows it; null where there is none. */
function partNode(part, swatches) {
  if (!part) return null;
  if (part.lines) return element("dl.lines", part.lines.map(([key, value]) => element("div", element("dt", key), element("dd", value))));
  if (part.reasons) return verdictBox(part);
  if (part.sentences) return sentences(part.sentences);
  const parts = [part.title ? element("h4", part.title) : null, textTable(part.table, swatches), part.note ? element("p.quiet", part.note) : null];
  return element("div", parts);
}

function notesNode(part) {
  return part ? element("ul.sentences.notes", part.sentences.map((s) => element("li", s))) : null;
}

/** The value of an option: numbers that were measured or computed keep seven digits. */
function optionText(value) {
  const words = String(value).split(/([ ,])/);
  const long = (word) => /^-?\d*\.?\d+(e[-+]?\d+)?$/i.test(word) && word.replace(/e.*|\D/gi, "").length > 10 && !/^-?\d+$/.test(word);
  return words.map((word) => (long(word) ? String(Number(Number(word).toPrecision(7))) : word)).join("");
}

function optionTable(options) {
  const rows = Object.entries(options).map(([name, value]) => element("tr", element("td", name), element("td", optionText(value))));
  return element("div.scroll", { tabindex: 0 }, element("table.data.options", element("tbody", rows)));
}
