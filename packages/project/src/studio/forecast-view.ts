import type { RunForecast } from '../forecast/forecast-run.ts';
import type { Forecast } from '../studio-contract/contract.ts';
import { formatCost, formatCount } from '../words/index.ts';
import { countFigure, noFigure } from './figures.ts';
import type { Language } from './lens.ts';

interface Amount {
  readonly min: number;
  readonly likely: number;
  readonly max: number;
  readonly isOpen: boolean;
}

/** A forecast in the words of `flow plan`. */
export function forecastView(
  { rows, takenRows, failingRows, total, unpriced, dearerFallbacks, uncounted }: RunForecast,
  basis: string | undefined,
  language: Language = 'en',
): Forecast {
  const { calls, promptTokens, completionTokens, cost } = total;
  const tokens = promptTokens && completionTokens ? added(promptTokens, completionTokens) : undefined;
  const noPrice =
    unpriced.length > 0
      ? { told: `nobody knows the price of the model of ${unpriced.join(', ')}` }
      : ('nobody is billed for it' as const);
  return {
    rows: countFigure(rows, 'rows'),
    calls: countFigure(Math.round(calls.likely)),
    tokens:
      tokens === undefined ? noFigure('tokens', 'no model is asked') : countFigure(Math.round(tokens.likely), 'tokens'),
    cost:
      cost === undefined
        ? noFigure('USD', noPrice)
        : { value: cost.likely, text: formatCost(cost.likely, unpriced.length > 0), unit: 'USD' },
    taken: countFigure(takenRows, 'rows'),
    between: {
      calls: between(calls, formatCount, language),
      tokens: tokens === undefined ? '' : between(tokens, formatCount, language),
      cost: cost === undefined ? '' : between(cost, (dollars) => formatCost(dollars, false), language, false),
    },
    ...(basis === undefined ? {} : { basis }),
    leftOut: [
      ...failing(failingRows, language),
      ...notCounted(uncounted, language),
      ...dearer(dearerFallbacks, language),
    ],
  };
}

function failing(rows: number, language: Language): readonly string[] {
  if (rows === 0) return [];
  const count = formatCount(rows);
  if (language === 'ja') return [`このほか ${count} 行は、ノードを実行する前に失敗します`];
  return [`${count} more ${rows === 1 ? 'fails' : 'fail'} before a node runs`];
}

function notCounted(nodes: readonly string[], language: Language): readonly string[] {
  if (nodes.length === 0) return [];
  if (language === 'ja') return [`全行の後に一度だけ動くノードは数えていません：${nodes.join('、')}`];
  return [`not counted, once after all rows: ${nodes.join(', ')}`];
}

function dearer(nodes: readonly string[], language: Language): readonly string[] {
  if (nodes.length === 0) return [];
  if (language === 'ja') return [`より高い予備の接続（fallback）が答えると費用は増えます：${nodes.join('、')}`];
  return [`more where a connection of "fallback" answers, which costs more: ${nodes.join(', ')}`];
}

function added(one: Amount, other: Amount): Amount {
  return {
    min: one.min + other.min,
    likely: one.likely + other.likely,
    max: one.max + other.max,
    isOpen: one.isOpen || other.isOpen,
  };
}

/** Empty where least and most are the same. */
function between(
  { min, max, isOpen }: Amount,
  words: (amount: number) => string,
  language: Language,
  isWhole = true,
): string {
  const [least, most] = [min, max].map((amount) => words(isWhole ? Math.round(amount) : amount));
  if (least === most && !isOpen) return '';
  if (language === 'ja') return isOpen ? `${least} 以上` : `${least}〜${most}`;
  return isOpen ? `${least} or more` : `${least} to ${most}`;
}
