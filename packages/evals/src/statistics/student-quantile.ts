import { normalQuantile } from './normal-distribution.ts';

/**
 * The value below which a share `p` above one half of Student's t distribution lies; relative error below 1e-4 (Hill 1970,
 * algorithm 396, exact for 1 and 2 degrees).
 */
export function studentQuantile(p: number, degrees: number): number {
  const tails = 2 * (1 - p);
  if (degrees === 1) return 1 / Math.tan((tails * Math.PI) / 2);
  if (degrees === 2) return Math.sqrt(2 / (tails * (2 - tails)) - 2);
  const a = 1 / (degrees - 0.5);
  const b = (48 / a) * (1 / a);
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees;
  const y = (d * tails) ** (2 / degrees);
  return Math.sqrt(degrees * (y > 0.05 + a ? nearCentre(tails, degrees, { a, b, c, d }) : inTail(y, degrees, d)));
}

interface Coefficients {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** An expansion about the normal quantile. */
function nearCentre(tails: number, degrees: number, { a, b, c, d }: Coefficients): number {
  const x = normalQuantile(tails / 2);
  const y = x * x;
  const correction = degrees < 5 ? c + 0.3 * (degrees - 4.5) * (x + 0.6) : c;
  const lower = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + correction;
  const factor = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / lower - y - 3) / b + 1) * x;
  return Math.expm1(a * factor ** 2);
}

function inTail(y: number, degrees: number, d: number): number {
  const inner = 1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4);
  return (inner * y - 1) * ((degrees + 1) / (degrees + 2)) + 1 / y;
}
