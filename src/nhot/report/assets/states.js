// The section on states: pictures with a slider, how often each site is 1, the best of them.
"use strict";

const pictureSize = 196;

/** A slider over `count` states; show(k) is called with each. */
function stateSlider(count, text, show) {
  const label = element("output");
  const slider = element("input", { type: "range", min: 0, max: count - 1, value: count - 1, "aria-label": "state to show" });
  const change = () => {
    const k = Number(slider.value);
    label.textContent = text(k);
    slider.setAttribute("aria-valuetext", text(k));
    show(k);
  };
  slider.addEventListener("input", change);
  change();
  return count > 1 ? element("label.slider", slider, label) : element("p.quiet", label);
}

/** States of several chains with a slider through the run. */
function stateGallery(picture) {
  const count = picture.moves.length;
  if (!count || !picture.chains.length) return null;
  let k = count - 1;
  const shown = picture.chains.map((states, c) =>
    sitesFigure(picture.layout, pictureSize, `chain ${c + 1}`, () => levelsOf(picture.layout, states[k]))
  );
  const slider = stateSlider(count, (now) => `after ${format(picture.moves[now], 7)} moves`, (now) => {
    k = now;
    shown.forEach((one) => one.show());
  });
  const best = picture.best
    ? sitesFigure(picture.layout, pictureSize, `best draw, energy ${picture.best_energy}`, () => levelsOf(picture.layout, picture.best)).figure
    : null;
  return element("div.gallery", slider, element("div.pictures", shown.map((one) => one.figure), best));
}

/** Found states one after the other, the best first. */
function foundGallery(picture) {
  let k = 0;
  const one = sitesFigure(picture.layout, 420, "", () => levelsOf(picture.layout, picture.states[k]), namesFit(picture.layout));
  const caption = one.figure.querySelector("figcaption");
  const slider = stateSlider(picture.states.length, (now) => picture.labels[picture.states.length - 1 - now], (now) => {
    k = picture.states.length - 1 - now; // the best is at the right end
    caption.textContent = picture.labels[k];
    one.show();
  });
  return element("div.gallery", slider, element("div.pictures", one.figure));
}

const namesFit = (layout) => layout.kind === "graph" && layout.sites <= mostNamed && innerWidth > 600;

/** How often each site is 1, as a picture; a name and number for the site under the pointer. */
function meansPicture(picture) {
  if (!picture.means) return null;
  const layout = picture.layout;
  const levels = Array.from(bytesOf(picture.means));
  const size = layout.kind === "graph" ? 420 : 240;
  const one = sitesFigure(layout, size, "share of states in which a site is 1", () => levels, namesFit(layout));
  if (one.nearest) {
    const caption = one.figure.querySelector("figcaption");
    one.canvas.addEventListener("mousemove", (event) => {
      const scale = size / one.canvas.clientWidth;
      const i = one.nearest(event.offsetX * scale, event.offsetY * scale);
      caption.textContent = `${siteName(layout, i)}: 1 in ${format((100 * levels[i]) / 255, 3)}% of the states`;
    });
  }
  one.figure.append(element("div.scale", element("span", "never"), element("i"), element("span", "always")));
  return one.figure;
}

/** Bars of the inclusion probabilities; sites of the best draw stand out. */
function inclusionBars(part, valueHeading) {
  const best = part ? part.table[0].indexOf("best draw") : -1;
  const rows = columnBars(part, valueHeading, "error");
  if (!rows.length) return null;
  for (const row of rows) row.quiet = best >= 0 && part.table[1 + row.row][best] === "0";
  return barFigure({
    title: "Inclusion probabilities",
    rows,
    most: 1,
    caption: (best >= 0 ? "Share of states in which the site is 1, with standard errors; pale: not in the best draw. " : "With standard errors. ") + (part.note || ""),
  });
}

function statesSection(run) {
  const { picture, text } = run;
  const bars = inclusionBars(text.sites, "mean");
  const means = picture && meansPicture(picture);
  const gallery = picture && stateGallery(picture);
  if (!bars && !means && !gallery) return [];
  return [
    element("h3", "States"),
    bars && means ? element("div.states", bars, element("div.pictures", means)) : bars,
    !bars && means ? element("div.states.narrow", element("div.pictures", means), partNode(text.best_states)) : partNode(text.best_states),
    gallery ? element("h3", "States along the run") : null,
    gallery,
  ];
}
