// Charts whose data arrive while they are looked at: two samplers against computing time.
"use strict";

const samplerColours = [1, 0]; // of swap and im, in colour()

/**
 * A chart of the two samplers: { figure, update({ curves: [{x, y}], earliest, longest, shaded, heights, yLabel }) }. Times are in seconds,
 * and go from the earliest to the longest. The plot is shaded up to the time `shaded`; `heights` is the range of the upright axis.
 */
function liveChart({ title, caption, xLabel, names }) {
  const map = axisMap([], false);
  const unit = { ...timeUnit(1e-3) };
  const holder = element("div");
  const figure = element("figure", { role: "group", "aria-label": title }, element("div.head", element("b", title)), holder, element("figcaption", caption));
  let shaded = 0;
  let earliest = 0;
  let longest = 0;
  let heights = null;
  let yLabel = "";
  let plot = null;
  let data = [[0, 1], [null, null], [null, null]];
  const shade = ({ ctx, bbox, valToPos }) => {
    if (!(shaded > 0)) return;
    const end = Math.min(bbox.left + bbox.width, valToPos(shaded, "x", true));
    ctx.fillStyle = themed("quiet") + "30";
    ctx.fillRect(bbox.left, bbox.top, end - bbox.left, bbox.height);
  };
  const draw = () => {
    const axis = {
      stroke: themed("quiet"),
      grid: { stroke: themed("grid"), width: 1 },
      ticks: { stroke: themed("rule"), width: 1, size: 4 },
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      labelSize: 18,
      labelGap: 2,
    };
    if (plot) plot.destroy();
    plot = new uPlot(
      {
        width: Math.max(220, holder.clientWidth),
        height: 250,
        scales: {
          x: { time: false, range: () => drawnRange(earliest, longest || 1, false) },
          y: { range: () => drawnRange(...(heights || [0, 1]), false) },
        },
        legend: { live: false, markers: { width: 0, fill: (u, k) => u.series[k].stroke() } },
        cursor: { show: false },
        series: [{}, ...names.map((label, k) => ({ label, stroke: colour(samplerColours[k]), width: 1.6, spanGaps: true, points: { show: false } }))],
        axes: [
          { ...axis, label: xLabel, size: 34, ...axisTicks({ map, time: true, unit, room: 56 }) },
          { ...axis, label: yLabel, size: 58, ...axisTicks({ map, room: 30 }) },
        ],
        hooks: {
          drawClear: [shade],
          draw: [({ root }) => (root.dataset.draws = 1 + Number(root.dataset.draws || 0))],
        },
      },
      data,
      holder
    );
  };
  redraws.push(draw);
  new ResizeObserver(() => {
    if (!plot) draw();
    else if (Math.abs(plot.width - holder.clientWidth) > 1) plot.setSize({ width: Math.max(220, holder.clientWidth), height: 250 });
  }).observe(holder);
  const update = (next) => {
    ({ shaded, earliest, longest, heights, yLabel } = next);
    data = uPlot.join(next.curves.map(({ x, y }) => [x, y]));
    if (!plot) return;
    Object.assign(unit, timeUnit(longest));
    plot.axes[0].label = `${xLabel} (${unit.name})`;
    plot.axes[1].label = yLabel;
    plot.setData(data);
  };
  return { figure, update };
}

/** The range of what is drawn after a time, with room above for part of what came before. */
function settledHeights(curves, from) {
  const settled = curves.flatMap(({ x, y }) => y.filter((_, k) => x[k] >= from));
  if (!settled.length) return null;
  const [low, high] = [Math.min(...settled), Math.max(...settled)];
  const room = high - low || 1;
  return [low - 0.1 * room, high + 0.4 * room];
}
