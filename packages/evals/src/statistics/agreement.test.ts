import { describe, expect, test } from 'vitest';
import { type AgreementTable, agreementOf } from './agreement.ts';
import { randomStream } from './random-stream.ts';

const table = (bothPass: number, passFail: number, failPass: number, bothFail: number): AgreementTable => ({
  ...{ bothPass, passFail, failPass, bothFail },
});

describe('kappa', () => {
  test.for([
    { of: table(20, 5, 10, 15), share: 0.7, kappa: 0.4 },
    { of: table(45, 15, 25, 15), share: 0.6, kappa: 0.1304 },
    { of: table(25, 35, 5, 35), share: 0.6, kappa: 0.2593 },
    { of: table(10, 0, 0, 10), share: 1, kappa: 1 },
    { of: table(0, 10, 10, 0), share: 0, kappa: -1 },
    { of: table(25, 25, 25, 25), share: 0.5, kappa: 0 },
  ])('$kappa', ({ of, share, kappa }) => {
    const found = agreementOf(of);
    expect(found.share).toBe(share);
    expect(found.kappa).toBeCloseTo(kappa, 4);
  });

  test.for([
    { of: table(0, 0, 0, 0), why: 'no row' },
    { of: table(9, 1, 0, 0), why: 'the first always passes' },
    { of: table(9, 0, 1, 0), why: 'the second always passes' },
    { of: table(0, 0, 0, 7), why: 'both always fail' },
  ])('none: $why', ({ of }) => {
    expect(agreementOf(of)).toMatchObject({ kappa: undefined, interval: undefined });
  });
});

test('the interval is that of drawing the same rows again and again', () => {
  for (const counted of [table(37, 21, 0, 18), table(40, 12, 9, 39), table(80, 6, 10, 24)]) {
    const { kappa = 0, interval } = agreementOf(counted);
    const counts = [counted.bothPass, counted.passFail, counted.failPass, counted.bothFail];
    const rows = counts.flatMap((count, cell) => Array.from({ length: count }, () => cell));
    const stream = randomStream(7);
    const drawn = Array.from({ length: 4000 }, () => {
      const again = [0, 0, 0, 0];
      for (const _ of rows) {
        const cell = rows[Math.floor(stream() * rows.length)] ?? 0;
        again[cell] = (again[cell] ?? 0) + 1;
      }
      const [a = 0, b = 0, c = 0, d = 0] = again;
      return agreementOf(table(a, b, c, d)).kappa ?? 0;
    });
    const error = Math.sqrt(drawn.reduce((sum, one) => sum + (one - kappa) ** 2, 0) / drawn.length);
    const width = (interval?.high ?? 0) - (interval?.low ?? 0);
    expect(width / (2 * 1.96 * error)).toBeGreaterThan(0.9);
    expect(width / (2 * 1.96 * error)).toBeLessThan(1.1);
  }
});
