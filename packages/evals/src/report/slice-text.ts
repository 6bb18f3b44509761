import type { EvalResult, MetricResult, Slice, SlicedColumn, SliceMetric } from '../eval-result/eval-result.ts';
import { count, listed } from './markup.ts';
import { scoreText } from './score-text.ts';

type Language = 'en' | 'ja';

const none: Readonly<Record<Language, string>> = { en: 'none', ja: 'なし' };

/** The value of a slice for people: what would be taken for none, or not be seen, stands in quotes. */
export function sliceText({ value }: Pick<Slice, 'value'>, language: Language = 'en'): string {
  if (value === null) return none[language];
  const isPlain = value === value.trim() && value.search(unseen) < 0 && value !== none[language];
  return isPlain ? value : JSON.stringify(value).replaceAll(unseen, escaped);
}

/** What is not seen, or turns the text behind it round; joiners are a part of emoji and of Persian words. */
const unseen = /(?!(?<=\P{ASCII})[\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(sign: string): string {
  return [...Array(sign.length).keys()].map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** What a table of slices does not show: metrics that have no part in them, values of few rows. */
export function sliceNotes(
  sliced: SlicedColumn,
  { metrics }: Pick<EvalResult, 'metrics'>,
  language: Language = 'en',
): readonly string[] {
  const [first] = sliced.slices;
  const others = metrics.filter(({ name }) => first?.metrics.every((metric) => metric.name !== name) === true);
  const names = others.map(({ name }) => name).join(', ');
  const whole =
    language === 'ja'
      ? `${names} は全行で 1 つの値なので、グループごとの値はありません`
      : `${names}: one figure over all rows, which slices have no part in`;
  return [...(others.length === 0 ? [] : [whole]), ...leftOutTexts(sliced, language)];
}

/** `7 more values, in 31 rows, are not shown`. */
function leftOutTexts({ leftOut }: SlicedColumn, language: Language): readonly string[] {
  if (leftOut === undefined) return [];
  const { values, rows } = leftOut;
  if (language === 'ja') return [`ほかの値 ${number(values)} 個（${number(rows)} 行）は表示していません`];
  const are = values === 1 ? 'is' : 'are';
  return [`${count(values, 'more value')}, in ${count(rows, 'row')}, ${are} not shown`];
}

const mostTold = 3;

/** `Worse by group: lang en (cited 86.8 % → 30.3 % over 40 rows).`; nothing where no slice is worse. */
export function worseSlicesText({ slices = [], metrics }: EvalResult, language: Language = 'en'): string | undefined {
  const worse = slices.flatMap(({ column, slices: values }) =>
    values.flatMap((slice) => {
      const found = slice.metrics.filter(({ comparison }) => comparison?.verdict === 'worse');
      return found.length === 0 ? [] : [`${column} ${sliceText(slice, language)} (${changesText(found, metrics)})`];
    }),
  );
  if (worse.length === 0) return undefined;
  const told = worse.slice(0, mostTold);
  const more = worse.length - told.length;
  if (language === 'ja') {
    return `グループごとの悪化：${told.join('、')}${more === 0 ? '' : `、ほか ${number(more)} 個`}。`;
  }
  return `Worse by group: ${listed(more === 0 ? told : [...told, count(more, 'more group')])}.`;
}

/** `cited 86.8 % → 30.3 %, calls 90 % → 60 %`. */
function changesText(worse: readonly SliceMetric[], metrics: readonly MetricResult[]): string {
  return worse
    .flatMap(({ name, comparison }) => {
      const metric = metrics.find((one) => one.name === name);
      if (metric === undefined || comparison === undefined) return [];
      return [`${name} ${scoreText(comparison.before, metric)} → ${scoreText(comparison.after, metric)}`];
    })
    .join(', ');
}

/** How verdicts of slices are to be read; undefined where nothing differs. */
export function sliceVerdictText({ slices = [] }: EvalResult, language: Language = 'en'): string | undefined {
  const metrics = slices.flatMap((column) => column.slices.flatMap((slice) => slice.metrics));
  const verdicts = metrics.flatMap(({ comparison }) => comparison?.verdict ?? []);
  if (verdicts.every((verdict) => verdict === 'same')) return undefined;
  return language === 'ja'
    ? `グループごとの比較 ${number(verdicts.length)} 件をまとめて補正しています。改善・悪化とした判定のうち、偶然によるものは 5 % 以下と見込まれます。`
    : `Corrected for all ${count(verdicts.length, 'comparison')} of slices together: of what is called better or worse at most 5 % is expected to be chance.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
