import type { RunLine, RunsPage, Sentence, Verdict } from '../studio-contract/contract.ts';
import { readCursor, sliceOf } from './paging.ts';
import { bad, count, sentence } from './sentences.ts';

export interface RunsQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly filter?: RunsPage['filters'][number]['name'] | undefined;
  readonly flow?: string | undefined;
  readonly text?: string | undefined;
}

type FilterName = RunsPage['filters'][number]['name'];

const tests: Readonly<Record<FilterName, (run: RunLine) => boolean>> = {
  all: () => true,
  live: ({ status }) => status === 'Running',
  'needs-look': ({ needsLook }) => needsLook,
  resumable: ({ canResume }) => canResume !== undefined,
  evaluation: ({ outcome }) => outcome.some(({ rule }) => rule === 'gates' || rule === 'gates-met'),
};

/** @param runs newest first */
export function runsPage(runs: readonly RunLine[], query: RunsQuery): RunsPage {
  const { filter = 'all', flow, text = '', limit = 50 } = query;
  const ofFlow = runs.filter((run) => (flow === undefined || run.flow === flow) && isFound(run, text));
  const found = ofFlow.filter(tests[filter]);
  const slice = sliceOf(found.length, readCursor(query.cursor), limit);
  const names = Object.keys(tests) as readonly FilterName[];
  return {
    verdict: runsVerdict(runs),
    runs: found.slice(slice.from, slice.to),
    filters: names.map((name) => ({ name, runs: ofFlow.filter(tests[name]).length })),
    flows: [
      ...Map.groupBy(
        runs.filter((run) => run.flow !== ''),
        (run) => run.flow,
      ),
    ].map(([name, ofName]) => ({ name, runs: ofName.length })),
    paging: slice.paging,
  };
}

function isFound(run: RunLine, text: string): boolean {
  const told = [
    run.id,
    run.name ?? '',
    run.flow,
    run.data ?? '',
    ...run.tags,
    ...run.outcome.flatMap(({ parts }) => parts.map((part) => part.text)),
  ];
  return text === '' || told.join('\n').toLowerCase().includes(text.toLowerCase());
}

const recent = 20;

/** Which run needs somebody, and what came of the others. */
function runsVerdict(runs: readonly RunLine[]): Verdict {
  const last = runs.slice(0, recent);
  return { answer: [...liveSentence(runs), ...needSentence(last)], details: [], isSoFar: false };
}

function liveSentence(runs: readonly RunLine[]): readonly Sentence[] {
  const live = runs.filter(tests.live).length;
  if (live === 0) return [];
  return [
    sentence(
      'live',
      { text: count(live, 'run'), as: 'text', to: { page: 'runs', filter: 'live' } },
      ` ${live === 1 ? 'is' : 'are'} live. `,
    ),
  ];
}

function needSentence(last: readonly RunLine[]): readonly Sentence[] {
  const ended = last.filter((run) => !tests.live(run));
  const needing = ended.filter(tests['needs-look']);
  if (ended.length === 0) return [];
  const of = ended.length === 1 ? 'the last run' : `the last ${ended.length} runs`;
  if (needing.length === 0) return [sentence('none-needs-a-look', `None of ${of} needs a look.`)];
  const why = [
    { runs: needing.filter(hasRule('gates')).length, one: 'fails gates', many: 'fail gates' },
    { runs: needing.filter(hasRule('failed-rows')).length, one: 'has failed rows', many: 'have failed rows' },
    { runs: needing.filter(hasRule('unreadable')).length, one: 'cannot be read', many: 'cannot be read' },
  ].filter((reason) => reason.runs > 0);
  const told = why.map((reason) => `${reason.runs} ${reason.runs === 1 ? reason.one : reason.many}`).join(', ');
  const need = bad(`${needing.length} of ${of}`, { page: 'runs', filter: 'needs-look' });
  return [
    sentence(
      'needs-a-look',
      need,
      ` ${needing.length === 1 ? 'needs' : 'need'} a look${told === '' ? '.' : `: ${told}.`}`,
    ),
  ];
}

function hasRule(rule: string): (run: RunLine) => boolean {
  return ({ outcome }) => outcome.some((one) => one.rule === rule);
}
