// The page of `nhot select`.
"use strict";

function buildPage() {
  const { text } = pageData;
  const speed = columnBars(text.observables, "ESS/s");
  page.append(
    ...[
      ...pageHead(),
      partNode(text.problem),
      partNode(text.verdict),
      notesNode(text.notes),
      inclusionBars(text.sites, "inclusion"),
      partNode(text.subsets),
      partNode(text.observables),
      speed.length ? barFigure({ title: "Effective draws per CPU second", rows: speed }) : null,
      ...againNodes(pageData),
    ].filter(Boolean)
  );
}

buildPage();
