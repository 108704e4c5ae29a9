// Charts on uPlot: lines with spread bars, steps, bars and dots; hover, zoom by dragging, log axes.
"use strict";

const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 2], [12, 4]];

/** Vertical bars of one standard deviation, a fixed number of pixels apart, each series offset. */
function drawSpread(plot, spec) {
  const ctx = plot.ctx;
  const ratio = devicePixelRatio || 1;
  const shown = spec.series.filter((s) => s.sd);
  const gap = Math.max(26, 13 * shown.length) * ratio;
  shown.forEach((series, order) => {
    const index = spec.series.indexOf(series) + 1;
    if (!plot.series[index].show) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
    ctx.clip();
    ctx.setLineDash([]);
    ctx.strokeStyle = colour(series.colour);
    ctx.lineWidth = 1.4 * ratio;
    let next = plot.bbox.left + (gap * (order + 0.5)) / shown.length;
    const xs = plot.data[0];
    for (let k = 0; k < xs.length; k++) {
      const y = plot.data[index][k];
      const sd = series.sdShown[k];
      if (y == null || sd == null) continue;
      const px = plot.valToPos(xs[k], "x", true);
      if (px < next) continue;
      next = Math.max(next + gap, px + gap / 2);
      const top = plot.valToPos(y + sd, "y", true);
      const bottom = plot.valToPos(y - sd, "y", true);
      const cap = 3 * ratio;
      ctx.beginPath();
      ctx.moveTo(px, top);
      ctx.lineTo(px, bottom);
      ctx.moveTo(px - cap, top);
      ctx.lineTo(px + cap, top);
      ctx.moveTo(px - cap, bottom);
      ctx.lineTo(px + cap, bottom);
      ctx.stroke();
    }
    ctx.restore();
  });
}

/** Lines across the plot: [{value, label}]. */
function drawRules(plot, rules) {
  const ctx = plot.ctx;
  const ratio = devicePixelRatio || 1;
  for (const rule of rules) {
    const at = plot.valToPos(rule.value, rule.axis || "y", true);
    ctx.save();
    ctx.strokeStyle = themed("quiet");
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.beginPath();
    if (rule.axis === "x") {
      if (at < plot.bbox.left || at > plot.bbox.left + plot.bbox.width) continue;
      ctx.moveTo(at, plot.bbox.top);
      ctx.lineTo(at, plot.bbox.top + plot.bbox.height);
    } else {
      if (at < plot.bbox.top || at > plot.bbox.top + plot.bbox.height) continue;
      ctx.moveTo(plot.bbox.left, at);
      ctx.lineTo(plot.bbox.left + plot.bbox.width, at);
    }
    ctx.stroke();
    ctx.restore();
  }
}

function seriesOptions(series) {
  const stroke = colour(series.colour);
  const options = {
    label: series.label,
    stroke,
    width: series.width || 1.8,
    spanGaps: true,
    points: { show: false },
    value: (_, v) => format(v),
  };
  if (series.dash) options.dash = dashes[series.dash % dashes.length];
  if (series.kind === "steps") options.paths = uPlot.paths.stepped({ align: 1 });
  if (series.kind === "bars") {
    options.paths = uPlot.paths.bars({ size: [0.8, 40] });
    options.fill = stroke + "66";
    options.width = 1;
  }
  if (series.kind === "dots") {
    options.paths = () => null;
    options.points = { show: true, size: 7, fill: stroke, stroke };
  }
  if (series.fill) options.fill = stroke + "2b";
  return options;
}

/** Ticks with as many digits as their distance needs; thousands and millions in short. */
function tickText(_, splits) {
  const largest = Math.max(...splits.map((v) => Math.abs(v ?? 0)));
  const [factor, suffix] = largest >= 2e6 ? [1e6, " M"] : largest >= 2e4 ? [1e3, " k"] : [1, ""];
  return splits.map((v) => (v === null ? "" : v === 0 ? "0" : format(v / factor, 6) + suffix));
}
function logTickText(_, splits) {
  return splits.map((v) => {
    if (v === null) return "";
    const power = Math.log10(v);
    return Math.abs(power - Math.round(power)) < 1e-6 ? format(v, 2) : "";
  });
}

/** True when only a part of the data is in view. */
function zoomed(low, high, spec) {
  return low > spec.x[0] || high < spec.x[spec.x.length - 1];
}

function chartOptions(spec, width, log) {
  const axis = {
    stroke: themed("quiet"),
    grid: { stroke: themed("grid"), width: 1 },
    ticks: { stroke: themed("rule"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 18,
    labelGap: 2,
  };
  const y = { ...axis, label: spec.yLabel, size: 58, values: spec.yTicks || tickText };
  const x = { ...axis, label: spec.xLabel, size: 34, values: log ? logTickText : spec.xTicks || tickText };
  return {
    width,
    height: spec.height || 260,
    scales: {
      x: { time: false, distr: log ? 3 : 1, range: (_, low, high) => (spec.xRange && !log && !zoomed(low, high, spec) ? spec.xRange : [low, high]) },
      y: { range: spec.yRange ? (_, low, high) => spec.yRange(low, high, log) : undefined },
    },
    legend: { live: true, markers: { width: 0, fill: (u, k) => u.series[k].stroke() } },
    cursor: { drag: { x: true, y: false, uni: 10 }, points: { size: 6 } },
    series: [{ label: spec.xName || spec.xLabel, value: (_, v) => format(v) }, ...spec.series.map(seriesOptions)],
    axes: [x, y],
    hooks: {
      draw: [
        (plot) => {
          if (spec.rules) drawRules(plot, spec.rules);
          drawSpread(plot, spec);
        },
      ],
    },
  };
}

/** The points to draw: with a log axis only those right of zero. */
function chartData(spec, log) {
  const keep = spec.x.map((v) => !log || v > 0);
  const pick = (values) => values.filter((_, k) => keep[k]);
  for (const series of spec.series) if (series.sd) series.sdShown = pick(series.sd);
  return [pick(spec.x), ...spec.series.map((s) => pick(s.y))];
}

/**
 * A figure with a chart. spec: title, caption, xLabel, yLabel, x, series [{label, y, colour, dash,
 * kind, sd, width}], xLog ("first": begin so; "switch": offer it), yRange(low, high, log), rules,
 * height.
 */
function chart(spec) {
  const holder = element("div");
  const buttons = element("span");
  const figure = element(
    "figure",
    { role: "group", "aria-label": spec.title },
    element("div.head", element("b", spec.title), buttons),
    holder,
    spec.caption ? element("figcaption", spec.caption) : null
  );
  let log = spec.xLog === "first";
  let plot = null;
  const draw = () => {
    const width = Math.max(220, holder.clientWidth);
    if (plot) plot.destroy();
    plot = new uPlot(chartOptions(spec, width, log), chartData(spec, log), holder);
  };
  if (spec.xLog === "switch" || spec.xLog === "first") {
    const button = element("button", "log axis", {
      type: "button",
      "aria-pressed": String(log),
      onclick: () => {
        log = !log;
        button.setAttribute("aria-pressed", String(log));
        draw();
      },
    });
    buttons.append(button);
  }
  redraws.push(draw);
  new ResizeObserver(() => {
    const width = Math.max(220, holder.clientWidth);
    if (!plot) draw();
    else if (Math.abs(plot.width - width) > 1) plot.setSize({ width, height: spec.height || 260 });
  }).observe(holder);
  return figure;
}

function grid(columns, ...figures) {
  return element("div.grid", { style: `--columns: ${columns}` }, ...figures);
}
