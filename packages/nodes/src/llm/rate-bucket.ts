/**
 * So many units a minute, handed out in the order they are asked for. Units not used in the last second may be used at
 * once, no more: services that count by the second see no burst. The generic cell rate algorithm (ITU-T I.371, annex A),
 * with amounts.
 */
export class RateBucket {
  private readonly msPerUnit: number;
  /** When all that was handed out so far is used up at the even rate. */
  private usedUpAt = 0;

  constructor(perMinute: number) {
    this.msPerUnit = 60_000 / perMinute;
  }

  /** Takes units; gives the milliseconds to wait before they may be used. */
  reserve(now: number, units: number): number {
    const start = Math.max(now, this.usedUpAt);
    this.usedUpAt = start + units * this.msPerUnit;
    return Math.max(0, start - burstMs - now);
  }

  /** More were used than had been reserved, or, below 0, fewer. */
  correct(units: number): void {
    this.usedUpAt += units * this.msPerUnit;
  }
}

const burstMs = 1000;
