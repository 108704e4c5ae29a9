// Charts on uPlot: lines with spread bars, steps, bars and dots; hover, zoom by dragging, log axes.
"use strict";

const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 2], [12, 4]];

/** Vertical bars of one standard deviation, a fixed number of pixels apart, each series offset. */
function drawSpread(plot, spec, drawn) {
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
      const sd = drawn.sds[index - 1][k];
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

/** Lines across the plot: [{value, axis, band}]; a band is shaded that far to either side of a level line. */
function drawRules(plot, rules, { xMap, yMap }) {
  const ctx = plot.ctx;
  const ratio = devicePixelRatio || 1;
  for (const rule of rules) {
    const upright = rule.axis === "x";
    const place = (upright ? xMap : yMap).toPlot(rule.value);
    if (place === null) continue;
    const { left, top, width, height } = plot.bbox;
    const at = plot.valToPos(place, upright ? "x" : "y", true);
    const [begin, length] = upright ? [left, width] : [top, height];
    if (at < begin || at > begin + length) continue;
    ctx.save();
    if (rule.band > 0) {
      const [high, low] = [rule.value + rule.band, rule.value - rule.band].map((v) => plot.valToPos(yMap.toPlot(v), "y", true));
      ctx.fillStyle = themed("quiet") + "38";
      ctx.fillRect(left, Math.max(top, high), width, Math.min(top + height, low) - Math.max(top, high));
    }
    ctx.strokeStyle = themed("quiet");
    ctx.lineWidth = (rule.band > 0 ? 1.5 : 1) * ratio;
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(upright ? at : left, upright ? top : at);
    ctx.lineTo(upright ? at : left + width, upright ? top + height : at);
    ctx.stroke();
    ctx.restore();
  }
}

function seriesOptions(series, yMap, column) {
  const stroke = colour(series.colour);
  const alone = column.filter((y) => y !== null).length === 1; // a point that no line shows
  const options = {
    label: series.label,
    stroke,
    width: series.width || 1.8,
    spanGaps: true,
    points: { show: alone, size: 6, fill: stroke },
    class: series.dash ? "dashed" : undefined,
    value: (_, p) => (p == null ? "" : format(yMap.toData(p))), // nothing until a point is under the cursor
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

/**
 * The data of a chart as positions: maps of both axes, the columns that the plotting library takes (points
 * without a place on the x axis left out), and the spread of each series beside them.
 */
function plotted(spec, log) {
  const xMap = axisMap(spec.x, log);
  const yMap = axisMap(spec.series.flatMap((s) => s.y), false);
  const places = spec.x.map(xMap.toPlot);
  const kept = places.map((_, k) => k).filter((k) => places[k] !== null).sort((a, b) => places[a] - places[b]);
  const column = (values) => kept.map((k) => yMap.toPlot(values[k]));
  const data = [kept.map((k) => places[k]), ...spec.series.map((s) => column(s.y))];
  const empty = !data.slice(1).some((ys) => ys.some((y) => y !== null));
  // Two places without points: axes around nothing.
  if (!kept.length) data.forEach((values, k) => values.push(...(k ? [null, null] : [0, 1])));
  return { xMap, yMap, data, empty, sds: spec.series.map((s) => (s.sd ? column(s.sd) : null)) };
}

function xRange(spec, shown) {
  const xs = shown.data[0];
  const [first, last] = [xs[0], xs[xs.length - 1]];
  let whole = spec.xRange && !shown.xMap.log ? spec.xRange.map(shown.xMap.toPlot) : null;
  if (first === last && !whole) whole = [first, last];
  return (_, low, high) => {
    const zoomed = low > first || high < last;
    return drawnRange(...(whole && !zoomed ? whole : [low, high]), shown.xMap.log);
  };
}

function yRange(spec, shown) {
  const { toPlot, toData } = shown.yMap;
  return (_, low, high) => {
    if (low === null || high === null) return [0, 1];
    const [from, to] = [toData(low), toData(high)];
    const [bottom, top] = spec.yRange ? spec.yRange(from, to, shown.xMap.log) : padded(from, to);
    return drawnRange(toPlot(bottom), toPlot(top), false);
  };
}

const padded = (low, high) => [low - 0.04 * (high - low), high + 0.04 * (high - low)];

function writeNoData(plot) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = themed("quiet");
  ctx.font = `${14 * (devicePixelRatio || 1)}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.fillText("no data", bbox.left + bbox.width / 2, bbox.top + bbox.height / 2);
  ctx.restore();
}

function chartOptions(spec, shown, width) {
  const { xMap, yMap } = shown;
  const axis = {
    stroke: themed("quiet"),
    grid: { stroke: themed("grid"), width: 1 },
    ticks: { stroke: themed("rule"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 18,
    labelGap: 2,
  };
  const longest = spec.x.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, v) : most), 0);
  const unit = spec.xTime ? timeUnit(longest) : null;
  const xLabel = spec.xLabel + (unit && !xMap.log ? ` (${unit.name})` : "");
  const x = { ...axis, label: xLabel, size: 34, ...axisTicks({ map: xMap, time: spec.xTime, unit, room: 56 }) };
  const letters = (texts) => Math.max(0, ...(texts || []).map((t) => t.length));
  const y = {
    ...axis,
    label: spec.yLabel,
    size: (_, texts) => Math.max(58, 16 + 7 * letters(texts)),
    ...axisTicks({ map: yMap, room: 30 }),
  };
  if (spec.lane) {
    Object.assign(y, { stroke: colour(spec.series[0].colour), size: () => 58, ...axisTicks({ map: yMap, room: 20 }) });
    if (spec.hideX) Object.assign(x, { label: undefined, size: 6, values: () => [] });
  }
  const xValue = (p) => (spec.xTime ? durationText(xMap.toData(p)) : format(xMap.toData(p)));
  return {
    width,
    height: spec.height || 260,
    scales: { x: { time: false, range: xRange(spec, shown) }, y: { range: yRange(spec, shown) } },
    legend: { show: !spec.lane, live: true, markers: { width: 0, fill: (u, k) => u.series[k].stroke() } },
    cursor: { drag: { x: true, y: false, uni: 10 }, points: { size: 6 }, focus: { prox: spec.series.length > 1 ? 24 : -1 } },
    focus: { alpha: 0.25 },
    series: [
      { label: spec.xName || spec.xLabel, value: (_, p) => (p == null ? "" : xValue(p)) },
      ...spec.series.map((series, k) => seriesOptions(series, yMap, shown.data[k + 1])),
    ],
    axes: [x, y],
    hooks: {
      setCursor: [(plot) => plot.root.classList.toggle("hovered", plot.cursor.idx != null)],
      draw: [
        (plot) => {
          drawRules(plot, spec.rules || [], shown);
          drawSpread(plot, spec, shown);
          if (shown.empty) writeNoData(plot);
          plot.root.dataset.draws = 1 + Number(plot.root.dataset.draws || 0);
        },
      ],
    },
  };
}

/** A figure that fills a holder once it has a width, and again when that or the colours change. */
function drawnFigure(spec, buttons, draw, resize) {
  const holder = element("div");
  const figure = element(
    "figure",
    { role: "group", "aria-label": spec.title },
    element("div.head", element("b", spec.title), element("span", buttons)),
    holder,
    spec.caption ? element("figcaption", spec.caption) : null
  );
  const widthNow = () => Math.max(220, holder.clientWidth);
  let width = 0;
  const drawNow = () => draw(holder, (width = widthNow()));
  redraws.push(() => width && drawNow());
  new ResizeObserver(() => {
    if (width && Math.abs(width - widthNow()) <= 1) return;
    if (width && resize) resize((width = widthNow()));
    else drawNow();
  }).observe(holder);
  return { figure, drawNow };
}

function switchButton(text, pressed, change) {
  const button = element("button", text, {
    type: "button",
    "aria-pressed": String(pressed),
    onclick: () => {
      pressed = !pressed;
      button.setAttribute("aria-pressed", String(pressed));
      change(pressed);
    },
  });
  return button;
}

/**
 * A figure with a chart. spec: title, caption, xLabel, yLabel, x, series [{label, y, colour, dash,
 * kind, sd, width}], xLog ("first": begin so; "switch": offer it), xTime (x is in seconds), xRange,
 * yRange(low, high, log), rules, height, lanes (each series in a
 * strip of its own; "first": begin so, "switch": offer it).
 * A log axis shows what lies right of zero.
 */
function chart(spec) {
  const positive = spec.x.some((v) => v > 0 && Number.isFinite(v));
  let log = spec.xLog === "first" && positive;
  const mostLanes = 6;
  const offered = Boolean(spec.lanes) && spec.series.length > 1 && spec.series.length <= mostLanes;
  let apart = offered && spec.lanes === "first";
  let plots = [];
  const draw = (holder, width) => {
    plots.forEach((plot) => plot.destroy());
    holder.replaceChildren();
    plots = (apart ? lanesOf(spec) : [spec]).map((one) => {
      const shown = plotted(one, log);
      if (one.lane) holder.append(element("div.lane", { style: `color: ${colour(one.series[0].colour)}` }, one.series[0].label));
      return new uPlot(chartOptions(one, shown, width), shown.data, holder);
    });
  };
  const resize = (width) => plots.forEach((plot) => plot.setSize({ width, height: plot.height }));
  const buttons = [];
  const { figure, drawNow } = drawnFigure(spec, buttons, draw, resize);
  const head = figure.querySelector(".head span");
  if (offered) head.append(switchButton("one by one", apart, (on) => { apart = on; drawNow(); }));
  if (spec.xLog && positive) head.append(switchButton("log axis", log, (on) => { log = on; drawNow(); }));
  return figure;
}

/** One chart per series, one above the other; all have the same range and only the last an x axis. */
function lanesOf(spec) {
  const values = spec.series.flatMap((s) => s.y.filter((v) => v !== null && Number.isFinite(v)));
  const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const range = values.length ? (_low, _high, log) => (spec.yRange ? spec.yRange(low, high, log) : padded(low, high)) : undefined;
  return spec.series.map((series, k) => {
    const last = k === spec.series.length - 1;
    return { ...spec, series: [series], lane: true, hideX: !last, yLabel: undefined, yRange: range, height: last ? 120 : 74 };
  });
}

function grid(columns, ...figures) {
  return element("div.grid", { style: `--columns: ${columns}` }, ...figures);
}
