import type { Interval } from './interval.ts';
import { normalQuantile } from './normal-distribution.ts';

/** Rows by what two raters said of them: `passFail` the first passes and the second fails. */
export interface AgreementTable {
  readonly bothPass: number;
  readonly passFail: number;
  readonly failPass: number;
  readonly bothFail: number;
}

interface Agreement {
  readonly rows: number;
  /** Share of rows on which they agree; undefined without a row. */
  readonly share: number | undefined;
  /** Cohen's; undefined where one of them always says the same, so that chance alone would agree as often. */
  readonly kappa: number | undefined;
  /** 95 %, within −1 and 1. */
  readonly interval: Interval | undefined;
}

/**
 * How far two raters agree beyond chance (J. Cohen, A Coefficient of Agreement for Nominal Scales, 1960), with the large-sample
 * standard error of J. L. Fleiss, J. Cohen and B. S. Everitt (Large Sample Standard Errors of Kappa and Weighted Kappa, 1969, formula 13).
 */
export function agreementOf({ bothPass, passFail, failPass, bothFail }: AgreementTable): Agreement {
  const rows = bothPass + passFail + failPass + bothFail;
  if (rows === 0) return { rows, share: undefined, kappa: undefined, interval: undefined };
  const share = (bothPass + bothFail) / rows;
  const [first, second] = [(bothPass + passFail) / rows, (bothPass + failPass) / rows];
  const chance = first * second + (1 - first) * (1 - second);
  const isConstant = [first, second].some((passes) => passes === 0 || passes === 1);
  if (isConstant) return { rows, share, kappa: undefined, interval: undefined };
  const kappa = (share - chance) / (1 - chance);
  const agreeing = [
    [bothPass, first + second],
    [bothFail, 2 - first - second],
  ] as const;
  const differing = [
    [passFail, second + 1 - first],
    [failPass, 1 - second + first],
  ] as const;
  const own = agreeing.reduce((sum, [count, margins]) => sum + (count / rows) * (1 - margins * (1 - kappa)) ** 2, 0);
  const crossed = differing.reduce((sum, [count, margins]) => sum + (count / rows) * margins ** 2, 0);
  const variance =
    (own + (1 - kappa) ** 2 * crossed - (kappa - chance * (1 - kappa)) ** 2) / (rows * (1 - chance) ** 2);
  const reach = normalQuantile(0.975) * Math.sqrt(Math.max(0, variance));
  return { rows, share, kappa, interval: { low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach) } };
}
