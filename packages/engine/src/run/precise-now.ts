/** It never changes, and Node looks again whether it may be read. */
const { timeOrigin } = performance;

/** Milliseconds since the epoch, to the microsecond. */
export function preciseNow(): number {
  return timeOrigin + performance.now();
}
