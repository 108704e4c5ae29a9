// The page of `nhot logz`.
"use strict";

function alongChart() {
  const { beta, log_z, sd } = pageData.along;
  if (beta.length < 2 || !log_z.length) return null;
  return chart({
    title: "log Z along the schedule",
    xLabel: "beta",
    yLabel: "log Z",
    x: beta,
    height: 300,
    series: [{ label: "log Z", y: log_z, sd, colour: 0 }],
    caption: "From the exact number of states at beta = 0. Mean over the independent estimates; bars: their standard deviation.",
  });
}

/** What each stretch of beta adds. */
function contributionBars() {
  const rows = columnBars(pageData.text.contributions, "added", "error");
  if (!rows.length) return null;
  return barFigure({
    title: "Contributions to log Z",
    rows,
    caption: "What each stretch of beta adds, with the standard error over the independent estimates. Long whiskers: there more temperatures or more moves would help.",
  });
}

function estimatesChart() {
  const { value, error, of } = pageData.log_z;
  if (of.length < 2) return null;
  return chart({
    title: "Independent estimates",
    xLabel: pageData.method === "ti" ? "ladder" : "population",
    yLabel: "log Z",
    x: of.map((_, k) => k + 1),
    xRange: [0.5, of.length + 0.5],
    height: 300,
    rules: value === null ? [] : [{ value, band: error || 0 }],
    series: [{ label: "log Z", y: of, colour: 0, kind: "dots" }],
    caption: "Line and shade: the combined estimate and its standard error.",
  });
}

function buildPage() {
  const charts = [alongChart(), estimatesChart()].filter(Boolean);
  page.append(
    ...[
      ...pageHead(),
      partNode(pageData.text.outcome),
      notesNode(pageData.text.notes),
      charts.length ? grid(2, ...charts) : element("p.quiet", "At beta = 0 log Z is the log of the number of states, which is exact: there is nothing to draw."),
      contributionBars(),
      ...againNodes(pageData),
    ].filter(Boolean)
  );
}

buildPage();
