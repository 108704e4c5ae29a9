// The page of `nhot tune`.
"use strict";

/** The speed of walks by length and gamma as regression sees it: a cell for each, in lines of one gamma. */
function surfaceFigure() {
  const points = pageData.surface.filter((p) => p[3] !== null);
  if (points.length < 2) return null;
  const lengths = [...new Map(points.map((p) => [`${p[0]}..${p[1]}`, p])).values()].sort((a, b) => a[0] + a[1] - b[0] - b[1] || a[0] - b[0]);
  const gammas = [...new Set(points.map((p) => p[2]))].sort((a, b) => a - b);
  const at = new Map(points.map((p) => [`${p[0]}..${p[1]} ${p[2]}`, p[3]]));
  const most = Math.max(...points.map((p) => p[3]));
  const name = ([low, high]) => (low === high ? String(low) : `${low}..${high}`);
  const cell = (l, gamma) => {
    const value = at.get(`${l[0]}..${l[1]} ${gamma}`);
    if (value === undefined) return element("td");
    const share = Math.round((100 * value) / most);
    return element(share > 55 ? "td.dark" : "td", { style: `--share: ${share}%`, title: `length ${name(l)}, gamma ${gamma} beta: ${format(value, 3)} of the best` }, format(value, 2));
  };
  const rows = lengths.map((l) => element("tr", element("th", { scope: "row" }, name(l)), gammas.map((gamma) => cell(l, gamma))));
  return element(
    "div",
    element("h2", "The surface"),
    element("p.quiet", "Speed of the walks against that of the best move, as regression over all trials sees it. Rows: lengths; columns: gamma in units of beta."),
    scrolled(
      element(
        "table.data.heat",
        element("thead", element("tr", element("th", "length"), gammas.map((g) => element("th", { scope: "col" }, format(g, 3))))),
        element("tbody", rows)
      )
    )
  );
}

function lastBars() {
  if (!pageData.last.length) return null;
  return barFigure({
    title: "The last round",
    rows: pageData.last.map((t, k) => ({ label: t.move, value: t.of_best, error: t.error, text: formatTo(t.of_best, t.error) + (t.error > 0 ? ` ± ${format(t.error, 2)}` : ""), colour: k === 0 ? 2 : 0 })),
    caption: "Effective draws per second of the slowest quantity, against the best move, with standard errors. Whiskers that overlap: a tie.",
  });
}

/** Every move that was tried, by round. */
function trialsChart() {
  const trials = pageData.trials.filter((t) => t.of_best !== null);
  if (trials.length < 2) return null;
  return chart({
    title: "All trials",
    xLabel: "round",
    yLabel: "speed, of the best",
    x: trials.map((t) => t.round + 1),
    xRange: [0.5, pageData.rounds.length + 0.5],
    series: [{ label: "trial", y: trials.map((t) => t.of_best), colour: 0, kind: "dots" }],
    yRange: (_, high) => [0, high * 1.05],
    caption: "Rounds: " + pageData.rounds.map((text, k) => `${k + 1} ${text}`).join("; ") + ".",
  });
}

function buildPage() {
  const figures = [lastBars(), trialsChart()].filter(Boolean);
  page.append(
    ...[
      ...pageHead(),
      partNode(pageData.text.outcome),
      notesNode(pageData.text.notes),
      partNode(pageData.text.moves),
      figures.length ? grid(figures.length, ...figures) : null,
      surfaceFigure(),
      ...againNodes(pageData),
    ].filter(Boolean)
  );
}

buildPage();
