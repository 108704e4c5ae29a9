// The page of `nhot anneal`.
"use strict";

function trajectoryChart() {
  const { seconds, energy } = pageData.trajectory;
  return chart({
    title: "The lowest energy so far",
    xLabel: "wall-clock time",
    xName: "time",
    yLabel: "energy",
    x: seconds,
    xTime: true,
    xLog: "first",
    height: 300,
    series: [{ label: "lowest energy", y: energy, colour: 0, kind: "steps" }],
    caption: "A long flat end: more time is unlikely to find less, unless the reads get longer. No bound is proved.",
  });
}

/** Distinct states by energy: how far the next best ones are. */
function energyBars() {
  const rows = columnBars(pageData.text.states, "energy");
  const best = rows.length ? rows[0].value : 0;
  if (rows.length < 2) return null;
  return barFigure({
    title: "Above the best",
    rows: rows.map((row) => ({ ...row, label: `state ${row.label}`, value: row.value - best, text: format(row.value - best, 5), colour: 0 })),
    caption: "Energies of the distinct states that were kept, less that of the best.",
  });
}

function buildPage() {
  const { text, picture } = pageData;
  page.append(
    ...[
      ...pageHead(),
      partNode(text.outcome),
      notesNode(text.notes),
      grid(energyBars() ? 2 : 1, trajectoryChart(), energyBars()),
      partNode(text.states),
      picture ? element("h2", "The states") : null,
      picture ? foundGallery(picture) : null,
      ...againNodes(pageData),
    ].filter(Boolean)
  );
}

buildPage();
