// Small helpers: elements, numbers, the data of the page.
"use strict";

/** element("p.quiet", "text", child, ...); attributes come as an object. */
function element(what, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    if (typeof child === "object" && !(child instanceof Node)) {
      for (const [name, value] of Object.entries(child)) {
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else node.setAttribute(name, value);
      }
    } else {
      node.append(child);
    }
  }
  return node;
}

const pageData = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");

/** A number with so many significant digits, an en dash for what is unknown. */
function format(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value !== "number") return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, power] = value.toExponential(Math.max(0, digits - 2)).split("e");
    return `${mantissa}e${Number(power)}`;
  }
  const decimals = Math.max(0, Math.min(8, digits - 1 - Math.floor(Math.log10(size))));
  return value.toLocaleString("en-US", { maximumFractionDigits: decimals, minimumFractionDigits: 0 });
}

/** A mean with the digits that its error leaves. */
function formatTo(value, error) {
  if (typeof value !== "number") return "–";
  if (!(error > 1e-9 * Math.abs(value))) return format(value, 6); // the digits beyond are rounding
  const decimals = Math.max(0, Math.min(10, 1 - Math.floor(Math.log10(error))));
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** The colour of a data series, from the style sheet. */
function colour(index) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--c${index % 7}`).trim();
}
function themed(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function commandBox(command) {
  const button = element("button", "copy", {
    type: "button",
    "aria-label": "copy the command",
    onclick: () => {
      const range = document.createRange();
      range.selectNodeContents(text);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (navigator.clipboard) navigator.clipboard.writeText(command).catch(() => {});
      button.textContent = "copied";
      setTimeout(() => (button.textContent = "copy"), 1500);
    },
  });
  const text = element("span", command);
  return element("div.command", text, button);
}

function sentences(list) {
  return list && list.length ? element("ul.sentences", list.map((s) => element("li", s))) : null;
}

/** What to type to get the same again, and what it stands for. */
function againNodes(origin, heading = "h2") {
  return [element(heading, "Run it again"), commandBox(origin.command), element("details", element("summary", "Resolved options"), optionTable(origin.options))];
}

/** The heading of a page. */
function pageHead(...about) {
  return [element("h1", pageData.title), element("p.quiet", `nhot ${pageData.version}`, ...about)];
}

/** Everything that must be drawn again when colours change. */
const redraws = [];
function redrawAll() {
  for (const redraw of redraws) redraw();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
addEventListener("beforeprint", () => {
  document.documentElement.classList.add("printing");
  redrawAll();
});
addEventListener("afterprint", () => {
  document.documentElement.classList.remove("printing");
  redrawAll();
});
