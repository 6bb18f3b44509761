import type { JsonObject, JsonValue } from '@unroll/engine';
import { type MetricResult, type OracleGain, scoreText, signedText } from '@unroll/evals';
import type { OracleReport } from '@unroll/project';
import { countOf, formatCount } from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';

const columns = [
  { title: 'fixing' },
  ...['rows', 'before', 'after', 'gain'].map((title) => ({ title, isNumber: true })),
  { title: '95 %' },
  { title: '' },
  { title: 'run' },
];

export function oracleText({ result, metrics, from, gains, leftOut }: OracleReport, style: Style): string {
  const { name, run, rows } = result;
  const head = `${style.strong(name)}  ${style.dim(run.id)}  ${countOf(rows.total, 'row')}; given: ${from}\n`;
  const tables = metrics.map((metric) => {
    const lines = gains.filter(({ metric: of }) => of === metric.name).map((gain) => gainCells(gain, metric, style));
    return `\n${style.strong(metric.name)} ${style.dim(`on ${metric.on}`)}\n${table(columns, lines, style.dim)}`;
  });
  const [first] = metrics;
  const best = gains.find(({ metric }) => metric === first?.name);
  return [head, ...tables, first === undefined ? '' : verdictText(best, first), leftOutText(leftOut, style)].join('');
}

function gainCells(gain: OracleReport['gains'][number], metric: MetricResult, style: Style): readonly Cell[] {
  const paint = gain.isSignificant ? (gain.gain > 0 ? style.good : style.bad) : undefined;
  return [
    { text: gain.node, paint: style.name },
    { text: formatCount(gain.given) },
    { text: gain.before === null ? '–' : scoreText(gain.before, metric) },
    { text: gain.after === null ? '–' : scoreText(gain.after, metric) },
    { text: gain.before === null ? '–' : signedText(gain.gain, metric), paint },
    { text: intervalText(gain, metric) },
    { text: noteOf(gain) },
    { text: gain.run, paint: style.dim },
  ];
}

function noteOf({ isSignificant, gain, lost, found }: OracleGain): string {
  const doubt = isSignificant || gain === 0 ? '' : 'not significant';
  const parts = [
    doubt,
    lost === 0 ? '' : `${formatCount(lost)} failed`,
    found === 0 ? '' : `${formatCount(found)} scored only now`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `fixing function_1 raises grounded by 34.8 points [21.7, 47.8]`. */
function verdictText(best: OracleGain | undefined, metric: MetricResult): string {
  const word = metric.better === 'higher' ? 'raises' : 'lowers';
  if (best === undefined || (best.gain <= 0 && best.found === 0)) {
    return `\nno node, fixed alone, ${word} ${metric.name}\n`;
  }
  if (best.gain <= 0) {
    const rows = `${countOf(best.found, 'row')} a score of ${metric.name}`;
    return `\nfixing ${best.node} gives ${rows} that had none: such rows are in no mean\n`;
  }
  const doubt = best.isSignificant ? '' : ', which may be chance';
  const amount = signedText(best.gain, metric).replace(/^\+/, '');
  return `\nfixing ${best.node} ${word} ${metric.name} by ${amount}${bracketed(best, metric)}${doubt}\n`;
}

function bracketed({ interval }: OracleGain, metric: MetricResult): string {
  return interval === undefined ? '' : ` [${boundText(interval.low, metric)}, ${boundText(interval.high, metric)}]`;
}

function intervalText({ interval }: OracleGain, metric: MetricResult): string {
  return interval === undefined ? '' : `${boundText(interval.low, metric)} to ${boundText(interval.high, metric)}`;
}

function boundText(amount: number, metric: MetricResult): string {
  return signedText(amount, metric).replace(' points', '');
}

function leftOutText(leftOut: OracleReport['leftOut'], style: Style): string {
  const reasons = new Map<string, string[]>();
  for (const { node, reason } of leftOut) reasons.set(reason, [...(reasons.get(reason) ?? []), node]);
  return [...reasons].map(([reason, nodes]) => style.dim(`${reason}: ${nodes.join(', ')}\n`)).join('');
}

/** What `flow eval --oracle … --json` prints; described in docs/guide/oracle.md. */
export function oracleJson({ result, from, gains, leftOut }: OracleReport): JsonObject {
  return {
    name: result.name,
    run: result.run.id,
    rows: result.rows.total,
    given: from,
    gains: gains.map(
      ({ node, metric, given, before, after, gain, interval, pValue, isSignificant, lost, found, run }) => ({
        node,
        metric,
        rows: given,
        before,
        after,
        gain: before === null ? null : gain,
        interval: interval === undefined ? null : { low: interval.low, high: interval.high },
        p_value: pValue,
        significant: isSignificant,
        failed: lost,
        scored_only_now: found,
        run,
      }),
    ),
    left_out: leftOut.map(({ node, reason }): JsonValue => ({ node, reason })),
  };
}
