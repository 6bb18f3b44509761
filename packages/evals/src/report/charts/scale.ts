/** Where a value stands on an axis, in pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  (value: number): number;
}

/** A linear axis over round numbers that hold all values: 0 to 1 where they all lie there, else from 0 or below it. */
export function niceScale(values: readonly number[], pixels: readonly [left: number, right: number]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(...values, Number.NEGATIVE_INFINITY)];
  const isShare = low >= 0 && high <= 1;
  const step = isShare ? 0.25 : roundStep((high - low) / 4 || 1);
  const from = isShare ? 0 : Math.floor(low / step + 1e-9) * step;
  const to = isShare ? 1 : Math.ceil(high / step - 1e-9) * step;
  const count = Math.round((to - from) / step);
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((from + at * step).toPrecision(12)));
  const [left, right] = pixels;
  const place = (value: number): number => round(left + ((value - from) / (to - from || 1)) * (right - left));
  return Object.assign(place, { from, to, ticks });
}

/** 1, 2 or 5 times a power of ten, at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((one) => one * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** To a tenth of a pixel. */
export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
