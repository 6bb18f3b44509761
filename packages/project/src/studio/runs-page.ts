import type { RunLine, RunsPage, Sentence, SentencePart, Verdict } from '../studio-contract/contract.ts';
import type { Language } from './lens.ts';
import { readCursor, sliceOf } from './paging.ts';
import { type RunsWords, runsWords } from './runs-words.ts';
import { bad, sentence } from './sentences.ts';

export interface RunsQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly filter?: RunsPage['filters'][number]['name'] | undefined;
  readonly flow?: string | undefined;
  readonly text?: string | undefined;
  /** English where it is not said. */
  readonly language?: Language | undefined;
}

type FilterName = RunsPage['filters'][number]['name'];

const tests: Readonly<Record<FilterName, (run: RunLine) => boolean>> = {
  all: () => true,
  live: ({ status }) => status === 'Running',
  'needs-look': ({ needsLook }) => needsLook,
  resumable: ({ canResume }) => canResume !== undefined,
  evaluation: ({ outcome }) => outcome.some(({ rule }) => rule === 'gates' || rule === 'gates-met'),
};

/**
 * @param runs newest first
 * @param unread older ones of which nothing is known yet
 */
export function runsPage(runs: readonly RunLine[], query: RunsQuery, unread = 0): RunsPage {
  const { filter = 'all', flow, text = '', limit = 50 } = query;
  const ofFlow = runs.filter((run) => (flow === undefined || run.flow === flow) && isFound(run, text));
  const found = ofFlow.filter(tests[filter]);
  const slice = sliceOf(found.length, readCursor(query.cursor), limit);
  const names = Object.keys(tests) as readonly FilterName[];
  return {
    verdict: runsVerdict(runs, runsWords[query.language ?? 'en']),
    runs: found.slice(slice.from, slice.to),
    filters: names.map((name) => ({ name, runs: ofFlow.filter(tests[name]).length })),
    flows: [
      ...Map.groupBy(
        runs.filter((run) => run.flow !== ''),
        (run) => run.flow,
      ),
    ].map(([name, ofName]) => ({ name, runs: ofName.length })),
    paging: slice.paging,
    unread,
  };
}

function isFound(run: RunLine, text: string): boolean {
  const searched = [
    run.id,
    run.name ?? '',
    run.flow,
    run.data ?? '',
    ...run.tags,
    ...run.outcome.flatMap(({ parts }) => parts.map((part) => part.text)),
  ];
  return text === '' || searched.join('\n').toLowerCase().includes(text.toLowerCase());
}

const recent = 20;

/** Which run needs somebody, and what came of the others. */
function runsVerdict(runs: readonly RunLine[], words: RunsWords): Verdict {
  const last = runs.slice(0, recent);
  return { answer: [...liveSentence(runs, words), ...needSentence(last, words)], details: [], isSoFar: false };
}

function liveSentence(runs: readonly RunLine[], words: RunsWords): readonly Sentence[] {
  const live = runs.filter(tests.live).length;
  const link = (text: string): SentencePart => ({ text, as: 'text', to: { page: 'runs', filter: 'live' } });
  return live === 0 ? [] : [sentence('live', ...words.live(live, link))];
}

function needSentence(last: readonly RunLine[], words: RunsWords): readonly Sentence[] {
  const ended = last.filter((run) => !tests.live(run));
  const needing = ended.filter(tests['needs-look']);
  if (ended.length === 0) return [];
  if (needing.length === 0) return [sentence('none-needs-a-look', ...words.noneNeedsALook(ended.length))];
  const why = {
    gates: needing.filter(hasRule('gates')).length,
    failed: needing.filter(hasRule('failed-rows')).length,
    unreadable: needing.filter(hasRule('unreadable')).length,
  };
  const link = (text: string): SentencePart => bad(text, { page: 'runs', filter: 'needs-look' });
  return [sentence('needs-a-look', ...words.needsALook(needing.length, ended.length, why, link))];
}

function hasRule(rule: string): (run: RunLine) => boolean {
  return ({ outcome }) => outcome.some((one) => one.rule === rule);
}
