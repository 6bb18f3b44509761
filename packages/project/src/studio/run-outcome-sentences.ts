import type { Group, ProgressView } from '../host/run-progress.ts';
import type { RunSummary } from '../run-catalog/run-summary.ts';
import type { Sentence } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { bad, count, figure, name, sentence } from './sentences.ts';

/** What came of a run, most important first; nothing where the record does not tell. */
export function runOutcome(summary: RunSummary, view: ProgressView | undefined): readonly Sentence[] {
  return [...failedRows(summary, view), ...stopped(summary), ...unfinished(view), ...turns(view)];
}

/** `2 rows failed: function_1, TypeError: index shard 3 cannot be read` */
function failedRows({ id, failed }: RunSummary, view: ProgressView | undefined): readonly Sentence[] {
  if (failed === 0) return [];
  const rows = bad(`${count(failed, 'row')} failed`, {
    page: 'run',
    run: id,
    filters: [{ by: 'status', is: 'Failed' }],
  });
  const [first, ...others] = view?.failures ?? [];
  if (first === undefined) return [sentence('failed-rows', rows, '.')];
  const node = first.node === undefined ? [] : [name(first.node, { page: 'run', run: id, node: first.node }), ', '];
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other reason')})`;
  return [sentence('failed-rows', rows, ': ', ...node, `${first.code}: ${firstLine(first.message)}${more}`)];
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** `stopped at row 18 of 60; 42 rows can go on` */
function stopped({ status, rows, total }: RunSummary): readonly Sentence[] {
  if (status !== 'Canceled') return [];
  if (total === undefined) return [sentence('stopped', 'Stopped after ', figure(count(rows, 'row')), '.')];
  const told = `${formatCount(rows)} of ${formatCount(total)} rows`;
  return [sentence('stopped', 'Stopped after ', figure(told), '.')];
}

/** `3 rows did not end their loop` */
function unfinished(view: ProgressView | undefined): readonly Sentence[] {
  const rows = view?.rows.unfinished ?? 0;
  return rows === 0 ? [] : [sentence('unfinished', figure(count(rows, 'row')), ' reached the bound of a loop.')];
}

/** `3 rows took 1 turn, 30 took 2, 27 took 3` */
function turns(view: ProgressView | undefined): readonly Sentence[] {
  return (view?.groups ?? []).filter(isLoop).flatMap((loop) => {
    const told = loop.stopped.flatMap((rows, turn) => (turn > 0 && rows > 0 ? [{ rows, turn }] : []));
    if (told.length === 0) return [];
    const parts = told.map(({ rows, turn }, at) => {
      const [noun, unit] = at === 0 ? [` row${rows === 1 ? '' : 's'}`, ` turn${turn === 1 ? '' : 's'}`] : ['', ''];
      return `${formatCount(rows)}${noun} took ${turn}${unit}`;
    });
    return [sentence('turns', name(loop.name), `: ${parts.join(', ')}.`)];
  });
}

function isLoop(group: Group): group is Extract<Group, { kind: 'loop' }> {
  return group.kind === 'loop';
}
