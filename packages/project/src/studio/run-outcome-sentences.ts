import type { Group, ProgressView } from '../host/run-progress.ts';
import type { RunSummary } from '../run-catalog/run-summary.ts';
import type { Sentence, SentencePart } from '../studio-contract/contract.ts';
import type { Language } from './lens.ts';
import { type RunsWords, runsWords } from './runs-words.ts';
import { bad, name, reason, sentence } from './sentences.ts';

/** What came of a run, most important first; nothing where the record does not tell. */
export function runOutcome(
  summary: RunSummary,
  view: ProgressView | undefined,
  language: Language = 'en',
): readonly Sentence[] {
  const words = runsWords[language];
  return [
    ...failedRows(summary, view, words),
    ...stopped(summary, words),
    ...unfinished(view, words),
    ...turns(view, words),
  ];
}

/** `2 rows failed: function_1, TypeError: index shard 3 cannot be read` */
function failedRows({ id, failed }: RunSummary, view: ProgressView | undefined, words: RunsWords): readonly Sentence[] {
  if (failed === 0) return [];
  const link = (text: string): SentencePart =>
    bad(text, { page: 'run', run: id, filters: [{ by: 'status', is: 'Failed' }] });
  const [first, ...others] = view?.failures ?? [];
  if (first === undefined) return [sentence('failed-rows', ...words.failedRows(failed, link, undefined))];
  const node = first.node === undefined ? undefined : name(first.node, { page: 'run', run: id, node: first.node });
  const why = reason(first.code, firstLine(first.message));
  return [sentence('failed-rows', ...words.failedRows(failed, link, { node, reason: why, others: others.length }))];
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.length > 600 ? `${line.slice(0, 599)}…` : line;
}

/** `Stopped after 18 of 60 rows.` */
function stopped({ status, rows, total }: RunSummary, words: RunsWords): readonly Sentence[] {
  return status === 'Canceled' ? [sentence('stopped', ...words.stopped(rows, total))] : [];
}

/** `3 rows ended unfinished.` */
function unfinished(view: ProgressView | undefined, words: RunsWords): readonly Sentence[] {
  const rows = view?.rows.unfinished ?? 0;
  return rows === 0 ? [] : [sentence('unfinished', ...words.unfinished(rows))];
}

/** `3 rows took 1 turn, 30 took 2, 27 took 3` */
function turns(view: ProgressView | undefined, words: RunsWords): readonly Sentence[] {
  return (view?.groups ?? []).filter(isLoop).flatMap((loop) => {
    const stops = loop.stopped.flatMap((rows, turn) => (rows > 0 ? [{ rows, turn }] : []));
    return stops.every(({ turn }) => turn === 0) ? [] : [sentence('turns', ...words.turns(name(loop.name), stops))];
  });
}

function isLoop(group: Group): group is Extract<Group, { kind: 'loop' }> {
  return group.kind === 'loop';
}
