import { type JsonValue, stringifyJson } from '@unroll/engine';
import type { EvalResult, FamilyResult, FirstBadGroup, IterationResult } from '@unroll/evals';
import { rowName } from '@unroll/project';
import { formatCost, formatCount, summarizeValue } from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';

const maxGroups = 8;

/**
 * Where the failing rows went wrong first, with a command that shows one; empty where none failed.
 *
 * @param run as a further command names it
 */
export function firstBadText({ firstBad }: EvalResult, run: string, style: Style): string {
  if (firstBad.length === 0) return '';
  const blocks = firstBad.slice(0, maxGroups).map((group) => groupText(group, run, style));
  const more = firstBad.length > maxGroups ? `  and ${firstBad.length - maxGroups} more (--json)\n` : '';
  return `\n${style.strong('went wrong first at')}\n${blocks.join('')}${more}`;
}

function groupText({ node, kind, rows, examples }: FirstBadGroup, run: string, style: Style): string {
  const [first] = examples;
  const count = `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const names = examples.map(({ line, repeat }) => rowName({ line, repeat }));
  const lines = [`  ${style.bad(node)}  ${kind}  ${count}: ${names.join(', ')}${rows > names.length ? ' …' : ''}`];
  if (first?.reason !== undefined) lines.push(`    ${first.reason.split('\n')[0]}`);
  const told = first === undefined ? undefined : valueText(first);
  if (told !== undefined) lines.push(`    ${told}`);
  if (first !== undefined)
    lines.push(`    ${style.dim(`flow show ${run} --row ${rowName(first)}${nodeOption(node)}`)}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Metrics that expect nothing, as one's own, judge the value alone. */
function valueText({ expected, actual, reason }: FirstBadGroup['examples'][number]): string | undefined {
  if (actual === undefined) return undefined;
  if (expected !== undefined) return differenceText(expected, actual);
  return reason === undefined ? `got ${summarizeValue(actual, 70)}` : undefined;
}

/** A text is told from what it says as a number, a list …: in a CSV file each cell is a text. */
function differenceText(expected: JsonValue, actual: JsonValue): string {
  const [wanted, found] = [summarizeValue(expected, 50), summarizeValue(actual, 50)];
  const isText = typeof expected === 'string';
  if (isText === (typeof actual === 'string') || wanted !== found) return `expected ${wanted}, got ${found}`;
  const [one, other] = isText ? [stringifyJson(wanted), found] : [wanted, stringifyJson(found)];
  return `expected ${one}, got ${other}: a text is not the same as a number, a list or true`;
}

/** Outputs of the flow are no nodes. */
function nodeOption(node: string): string {
  return /^(outputs\.|row$|the flow$)/.test(node) ? '' : ` --node ${node}`;
}

/** Agents by iteration; empty where the flow has no loop. */
export function familiesText({ families }: EvalResult, style: Style): string {
  return families.map((family) => `\n${familyText(family, style)}`).join('');
}

const columns = [
  { title: '  iteration' },
  ...['ran', 'finished', 'right by now', 'gain', 'tokens', 'cost', 'for each more right'].map((title) => ({
    title,
    isNumber: true,
  })),
];

function familyText({ family, iterations, stopped, lostLater, recommendedTimes }: FamilyResult, style: Style): string {
  const rows = iterations.map((iteration, index) => iterationCells(iteration, iterations[index - 1]));
  const facts = [
    stopped === undefined
      ? ''
      : `stopped right ${stopped.right}, too early ${stopped.tooEarly}, too late ${stopped.tooLate}, never ${stopped.never}`,
    lostLater === undefined || lostLater === 0 ? '' : `right at some iteration and lost later: ${lostLater}`,
    recommendedTimes === undefined ? '' : `recommended times: ${recommendedTimes}`,
  ];
  const closing = facts.filter((fact) => fact !== '').map((fact) => `  ${fact}\n`);
  return `${style.strong(`${family} by iteration`)}\n${table(columns, rows, style.dim)}${closing.join('')}`;
}

function iterationCells(
  { iteration, ran, finished, rightByNow, tokens, cost, isCostPartial = false }: IterationResult,
  before: IterationResult | undefined,
): readonly Cell[] {
  const gain = rightByNow === undefined ? undefined : rightByNow - (before?.rightByNow ?? 0);
  return [
    { text: `  ${iteration}` },
    { text: formatCount(ran) },
    { text: formatCount(finished) },
    { text: rightByNow === undefined ? '' : formatCount(rightByNow) },
    { text: gain === undefined ? '' : `${gain > 0 ? '+' : ''}${gain}` },
    { text: tokens === undefined ? '' : formatCount(tokens) },
    { text: cost === undefined ? '' : formatCost(cost, isCostPartial) },
    { text: priceOfGain(gain, tokens, isCostPartial ? undefined : cost) },
  ];
}

/** What an iteration took for each row that it made right. */
function priceOfGain(gain: number | undefined, tokens: number | undefined, cost: number | undefined): string {
  if (gain === undefined || gain <= 0) return '';
  if (cost !== undefined) return formatCost(cost / gain, false);
  return tokens === undefined ? '' : `${formatCount(Math.round(tokens / gain))} tokens`;
}
