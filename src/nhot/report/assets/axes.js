// Axes for any data: ranges, ticks and their texts, even or logarithmic. The plotting library gets positions of
// moderate size on an even scale and ticks made here, never more than `mostTicks` of them: its own search for ticks
// does not end where a step is lost in the rounding of what it is added to.
"use strict";

const mostTicks = 60;
const largestNumber = 8e307; // twice that is still finite
const units = [
  { name: "ns", seconds: 1e-9 },
  { name: "µs", seconds: 1e-6 },
  { name: "ms", seconds: 1e-3 },
  { name: "s", seconds: 1 },
];

/** The unit in which times up to `longest` seconds read well on an even axis. */
function timeUnit(longest) {
  return (longest > 0 && units.find((u) => longest < 2000 * u.seconds)) || units[3];
}

/**
 * From numbers to positions and back: their logarithms, or the numbers themselves, divided by a power of ten
 * when they are very large or small. What has no place on the axis has the position null.
 */
function axisMap(values, log) {
  if (log)
    return {
      log,
      toPlot: (v) => (v > 0 && v <= largestNumber ? Math.log10(v) : null),
      toData: (p) => 10 ** Math.max(-307, Math.min(307.9, p)),
    };
  const inside = (v) => Number.isFinite(v) && Math.abs(v) <= largestNumber;
  const largest = values.reduce((most, v) => (inside(v) ? Math.max(most, Math.abs(v)) : most), 0);
  const moderate = largest === 0 || (largest >= 1e-6 && largest < 1e9);
  const factor = moderate ? 1 : 10 ** Math.max(-300, Math.floor(Math.log10(largest)));
  return { log, toPlot: (v) => (inside(v) ? v / factor : null), toData: (p) => p * factor };
}

/** A range of positions that can be drawn: finite, and wide enough for ticks that differ. */
function drawnRange(low, high, log) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (low === high) {
    const margin = log ? 0.5 : 0.05 * size || 1;
    return [low - margin, high + margin];
  }
  const least = log ? 1e-6 : 1e-9 * size;
  if (high - low >= least) return [low, high];
  const middle = low + (high - low) / 2;
  return [middle - least / 2, middle + least / 2];
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below `least`. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((m) => m * power >= least * (1 - 1e-9));
  return times * power;
}

/** Multiples of a nice step within the range: [{at, step}]. */
function evenTicks(low, high, most) {
  const step = niceStep((high - low) / Math.max(1, most));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.min(mostTicks, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, k) => ({ at: (first + k) * step, step }));
}

/** Mantissas times the powers of ten whose exponent is a multiple of `stride`, within a range of exponents. */
function decadeTicks(low, high, mantissas, stride) {
  const ticks = [];
  for (let power = stride * Math.floor(low / stride); power <= high; power += stride)
    for (const m of mantissas) {
      const at = power + Math.log10(m);
      if (at >= low - 1e-9 && at <= high + 1e-9) ticks.push({ at, value: Number(`${m}e${power}`) });
    }
  return ticks;
}

/**
 * Ticks of a logarithmic axis whose range is given in exponents, at most about `most` of them with a text:
 * 1, 2, 5 in every decade, or powers of ten, or some of these; within a part of a decade, multiples of a step.
 * Lines without a text come between them where there is room. [{at, value, step, minor}]
 */
function logTicks(low, high, most) {
  const decades = high - low;
  if (decades < 0.9) {
    const map = axisMap([], true);
    return evenTicks(map.toData(low), map.toData(high), Math.min(most, 6))
      .map(({ at, step }) => ({ at: Math.log10(at), value: at, step }))
      .filter((tick) => Number.isFinite(tick.at));
  }
  const fine = 3 * decades <= most;
  const stride = [1, 2, 3, 6, 12, 24, 48, 96].find((s) => decades / s <= most) || 192;
  const named = decadeTicks(low, high, fine ? [1, 2, 5] : [1], stride);
  const between = decades <= 5 ? decadeTicks(low, high, [1, 2, 3, 4, 5, 6, 7, 8, 9], 1) : decadeTicks(low, high, [1], Math.max(1, stride / 3));
  if (between.length > mostTicks - named.length) return named;
  const minor = between.filter((b) => !named.some((n) => Math.abs(n.at - b.at) < 1e-9));
  return [...named, ...minor.map((tick) => ({ ...tick, minor: true }))].sort((a, b) => a.at - b.at);
}

/** A number with the decimals that a step between such numbers needs. */
function steppedText(value, step) {
  const decimals = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step) - 1e-6)));
  const text = value.toLocaleString("en-US", { minimumFractionDigits: 0, maximumFractionDigits: decimals });
  return text === "-0" ? "0" : text;
}

const raised = (power) => String(power).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".indexOf(c)]);

/** A number as a power of ten, 10⁹ or 2.5·10⁹, with the decimals that the step needs. */
function powerText(value, step) {
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const size = 10 ** Math.max(-300, power);
  const mantissa = steppedText(value / size, step / size);
  return (mantissa === "1" ? "" : mantissa === "-1" ? "-" : mantissa + "·") + "10" + raised(power);
}

/** Texts of even ticks in `unit`: thousands and millions in short, powers of ten beyond. */
function evenTickTexts(ticks, unit) {
  const values = ticks.map((tick) => tick.at / unit);
  const step = ticks.length ? ticks[0].step / unit : 1;
  const largest = Math.max(0, ...values.map(Math.abs));
  const [factor, suffix] = largest >= 2e6 ? [1e6, " M"] : largest >= 2e4 ? [1e3, " k"] : [1, ""];
  const powers = largest >= 2e9 || largest < 1e-3;
  return values.map((v) => {
    if (Math.abs(v) < step / 2) return "0";
    return powers ? powerText(v, step) : steppedText(v / factor, step / factor) + suffix;
  });
}

/** A positive number on a logarithmic axis: 0.001, 5, 200, 10 k, 2 M, 10⁹. */
function logTickText(value, step) {
  if (value >= 1e9 || value < 0.9e-4) return powerText(value, step);
  const [factor, suffix] = value >= 0.9e6 ? [1e6, " M"] : value >= 0.9e4 ? [1e3, " k"] : [1, ""];
  return steppedText(value / factor, step / factor) + suffix;
}

/** A time in seconds with its unit; `step` says how many decimals are needed, else three digits are shown. */
function durationText(seconds, step) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds === 0) return "0 s";
  const size = Math.abs(seconds) * (1 + 1e-9);
  const unit = units.find((u) => size < 1000 * u.seconds) || units[3];
  const value = seconds / unit.seconds;
  const least = step ? step / unit.seconds : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  const plain = Math.abs(value) < 0.9e4 && Math.abs(value) > 0.9e-3;
  return `${plain ? steppedText(value, least) : powerText(value, least)} ${unit.name}`;
}

/**
 * What the plotting library needs for one axis. map: of axisMap; time: the numbers are seconds, shown in `unit` on an
 * even axis and each with its own unit on a logarithmic one; room: pixels that a text takes.
 */
function axisTicks({ map, time, unit, room }) {
  let ticks = [];
  let most = 2;
  const texts = () => {
    if (!map.log) return evenTickTexts(ticks, time ? unit.seconds : 1);
    const text = time ? durationText : logTickText;
    return ticks.map((t) => (t.minor ? "" : text(t.value, t.step || t.value)));
  };
  return {
    space: room,
    incrs: (_plot, _index, _low, _high, pixels) => {
      most = Math.max(2, Math.floor(pixels / room));
      return [1e9]; // the library wants a step that fits; the ticks below do without
    },
    splits: (_plot, _index, low, high) => {
      ticks = map.log
        ? logTicks(low, high, most)
        : evenTicks(map.toData(low), map.toData(high), most).map((t) => ({ ...t, place: map.toPlot(t.at) }));
      return ticks.map((t) => (map.log ? t.at : t.place));
    },
    values: texts,
  };
}
