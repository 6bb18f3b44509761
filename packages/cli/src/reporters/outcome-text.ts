import type { NodeRun, RowRun } from '@unroll/engine';
import { formatDuration, formatTokens, indentLines, sumUsage } from '@unroll/project/words';
import { readableValue } from '../text/readable-value.ts';
import type { Style } from '../text/style.ts';

/** The outputs of a row, each under its name; a text as it is. */
export function outputsText(row: RowRun, style: Style): string {
  return Object.entries(row.outputs)
    .map(([name, value]) => `${style.strong(name)}\n${indentLines(readableValue(value), 2)}\n`)
    .join('\n');
}

/** What a loop that reached its bound means for the user; empty when none did. */
export function unfinishedText(row: RowRun, nodes: readonly NodeRun[], style: Style): string {
  const loops = row.unfinished ?? [];
  if (loops.length === 0) return '';
  const names = loops.join(', ');
  const reasons = loops.flatMap((loop) => reasonOf(nodes.find(({ node }) => node === loop)));
  if (reasons.length > 0) return `${style.warn('unfinished')}: ${names}: ${reasons.join('; ')}\n`;
  return `${style.warn('unfinished')}: ${names} reached its bound before it was done; raise \`times\`, or say what to do with \`on_exhausted\`.\n`;
}

/** What a loop says of its end: the budget that was reached. */
function reasonOf(end: NodeRun | undefined): readonly string[] {
  const output = end?.output;
  if (typeof output !== 'object' || output === null || !('reason' in output)) return [];
  return [String(output['reason'])];
}

/** `completed in 1.2 s, 5 nodes ran, 2 bypassed, 1,204 tokens`. */
export function totalsText(row: RowRun, nodes: readonly NodeRun[]): string {
  const count = (status: NodeRun['status']): number => nodes.filter((node) => node.status === status).length;
  const ended = nodes.length - count('Bypassed') - count('NotRun');
  const taken = nodes.filter(({ cache }) => cache === 'hit').length;
  const word = row.status === 'Completed' ? 'completed' : row.status === 'Canceled' ? 'stopped' : 'failed';
  return [
    `${word} in ${formatDuration(wholeDuration(row, nodes))}`,
    `${ended - taken} ${ended - taken === 1 ? 'node' : 'nodes'} ran`,
    taken === 0 ? '' : `${taken} taken from ${nodes.find(({ cachedFrom }) => cachedFrom !== undefined)?.cachedFrom}`,
    count('Bypassed') === 0 ? '' : `${count('Bypassed')} bypassed`,
    count('NotRun') === 0 ? '' : `${count('NotRun')} not run`,
    formatTokens(sumUsage(nodes)),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** In milliseconds, with nodes over all rows, which run once the row has ended. */
function wholeDuration({ startedAt, durationMs }: RowRun, nodes: readonly NodeRun[]): number {
  const ends = nodes.flatMap(({ cache, startedAt: began, durationMs: took }) =>
    cache === 'hit' || began === undefined || took === undefined ? [] : [began + took - startedAt],
  );
  return Math.max(durationMs, ...ends);
}
