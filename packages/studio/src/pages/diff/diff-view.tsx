import type { DiffOptions, DiffPage, RunLine } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { Choice } from '../../parts/choice.tsx';
import { countText } from '../../parts/count.ts';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { go, query, setQuery } from '../../route/address.ts';
import { isExported } from '../../route/exported-page.ts';
import { comparedQuery, queryOf, runAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { Causes } from './causes.tsx';
import { DiffFlow } from './diff-flow.tsx';
import { DiffNodes } from './diff-nodes.tsx';
import { DiffRowsPanel } from './diff-rows.tsx';
import { DiffRuns } from './diff-runs.tsx';
import { MetricFlips } from './metric-flips.tsx';

/** What did my edit change, and by which way did it get to the answers? */
export function DiffView() {
  const asked = query.value;
  const page = useJson<DiffPage>(`diff?${pageQuery(asked)}`);
  const { diff } = words.value.comparing;
  const shown = page.value;
  useTitle(diff.title);
  useSwap(shown);
  if (shown === undefined || (page.failure !== undefined && page.isCurrent))
    return (
      <>
        <h1>{diff.title}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  const isSideBySide = asked.get('words') === 'sides';
  const node = asked.get('node') ?? undefined;
  const only = asked.getAll('only');
  const group = chosenGroup(shown, asked);
  const toNode = (name: string): string => addressOf({ node: name, group: 'all', row: undefined });
  const toKind = (kind: string): string => addressOf({ only: only.includes(kind) ? undefined : kind, row: undefined });
  return (
    <div aria-busy={!page.isCurrent}>
      <DiffHead page={shown} />
      <VerdictView verdict={shown.verdict} />
      <Causes page={shown} isSideBySide={isSideBySide} />
      <DiffFlow page={shown} chosen={node} only={only} addressOf={toNode} toKind={toKind} />
      <div class="two-panels">
        <MetricFlips page={shown} addressOf={(name) => addressOf({ group: name, node: undefined, row: undefined })} />
        <DiffNodes page={shown} only={only} addressOf={toNode} toTurns={toTurns(shown)} />
      </div>
      <DiffRuns page={shown} />
      <DiffRowsPanel page={shown} {...{ node, only, group, isSideBySide, addressOf }} />
    </div>
  );
}

/** What of the address the page is asked by. */
function pageQuery(asked: URLSearchParams): URLSearchParams {
  const names = ['left', 'right', 'evaluation', 'key', 'rename', 'turns'];
  return queryOf(Object.fromEntries(names.map((name) => [name, asked.getAll(name)])));
}

/** The same with the instances of loops' nodes one by one, or together again; undefined where nothing is repeated. */
function toTurns({ nodes, options, left, right, evaluation }: DiffPage): string | undefined {
  const isEach = options.turns === 'each';
  if (!isEach && nodes.every(({ instances }) => instances.length < 2)) return undefined;
  const { turns: _, ...folded } = options;
  const other: DiffOptions = isEach ? folded : { ...folded, turns: 'each' };
  const address = `/diff?${comparedQuery(left.id, right.id, other, { evaluation })}`;
  return isExported(address) ? address : undefined;
}

/** This view with other values of its query. */
function addressOf(values: Readonly<Record<string, string | undefined>>): string {
  const changed = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return `/diff?${changed}`;
}

/** Where nobody chose, the rows that are most worth a look; of a node all of its rows. */
function chosenGroup({ groups }: DiffPage, asked: URLSearchParams): string | undefined {
  const given = asked.get('group') ?? (asked.has('node') || asked.has('only') ? 'all' : groups[0]?.name);
  return given === 'all' ? undefined : given;
}

/** What was fixed from left to right broke from right to left: `w` looks at it the other way round. */
function useSwap(page: DiffPage | undefined): void {
  const swap = (): void => {
    if (page !== undefined && isExported(swapped(page))) go(swapped(page));
  };
  useKeys([{ keys: ['w'], group: 'page', label: words.value.comparing.diff.swap, run: swap }]);
}

function swapped({ left, right, evaluation, options: { rename, ...options } }: DiffPage): string {
  const renamed = rename?.map((names) => names.split('=').reverse().join('='));
  const other = renamed === undefined ? options : { ...options, rename: renamed };
  return `/diff?${comparedQuery(right.id, left.id, other, { evaluation })}`;
}

function DiffHead({ page }: { readonly page: DiffPage }) {
  const { whereYouAre, runsTitle, evaluation: evaluationWord, comparing } = words.value;
  const { diff } = comparing;
  const { left, right, paired, pairedBy, onlyLeft, onlyRight, evaluations, evaluation, options } = page;
  const rows = countText(Math.max(left.rows.value ?? 0, right.rows.value ?? 0));
  const about = [
    diff.paired(countText(paired), rows, options.key ?? diff.pairedBy[pairedBy]),
    ...(onlyLeft.rows === 0 ? [] : [diff.onlyIn(onlyLeft.rows, 'A')]),
    ...(onlyRight.rows === 0 ? [] : [diff.onlyIn(onlyRight.rows, 'B')]),
    ...(options.rename ?? []).map((names) => names.replace('=', ' → ')),
  ];
  return (
    <>
      <nav class="where" aria-label={whereYouAre}>
        <a href="/">{runsTitle}</a> <span aria-hidden="true">/</span>
        <a href={`/?${queryOf({ flow: right.flow })}`}>{right.flow}</a> <span aria-hidden="true">/</span>
        <span aria-current="page">{diff.title}</span>
      </nav>
      <div class="page-head">
        <h1>
          <RunName run={left} letter="A" /> → <RunName run={right} letter="B" />{' '}
          <span class="about">{about.join(' · ')}</span>
        </h1>
        <div class="actions">
          <Choice
            label={evaluationWord}
            values={evaluations}
            chosen={evaluation}
            onChoice={(path) => setQuery({ evaluation: path, group: undefined })}
          />
          {left.id !== right.id && isExported(swapped(page)) ? (
            <a class="button" href={swapped(page)}>
              {diff.swap} <kbd>w</kbd>
            </a>
          ) : null}
        </div>
      </div>
    </>
  );
}

function RunName({ run, letter }: { readonly run: RunLine; readonly letter: string }) {
  return (
    <>
      <span class="faint">{letter}</span> <a href={runAddress(run.id)}>{run.name ?? run.id}</a>
    </>
  );
}
