// Charts whose data arrive while they are looked at: two samplers against computing time.
"use strict";

const samplerColours = [1, 0]; // of swap and im, in colour()

/**
 * A chart of the two samplers: { figure, update({ curves: [{x, y}], longest, shaded }) }. Times are in seconds. `shaded` is a
 * time up to which the plot is shaded, or 0; yRange fixes the upright axis.
 */
function liveChart({ title, caption, xLabel, yLabel, yRange, names }) {
  const map = axisMap([], false);
  const unit = { ...timeUnit(1e-3) };
  const holder = element("div");
  const figure = element("figure", { role: "group", "aria-label": title }, element("div.head", element("b", title)), holder, element("figcaption", caption));
  let shaded = 0;
  let longest = 0;
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
          x: { time: false, range: () => [0, longest || 1] },
          y: { range: (_, low, high) => yRange || (low === null ? [0, 1] : drawnRange(low - 0.04 * (high - low), high + 0.04 * (high - low), false)) },
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
    ({ shaded, longest } = next);
    data = uPlot.join(next.curves.map(({ x, y }) => [x, y]));
    if (!plot) return;
    Object.assign(unit, timeUnit(longest));
    plot.axes[0].label = `${xLabel} (${unit.name})`;
    plot.setData(data);
  };
  return { figure, update };
}
