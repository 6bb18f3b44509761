import type { DiffPage, RunLine } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { countText } from '../../parts/count.ts';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { go, query, setQuery } from '../../route/address.ts';
import { isExported } from '../../route/exported-page.ts';
import { queryOf, runAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { Causes } from './causes.tsx';
import { DiffFlow } from './diff-flow.tsx';
import { DiffNodes } from './diff-nodes.tsx';
import { DiffRowsPanel } from './diff-rows.tsx';
import { MetricFlips } from './metric-flips.tsx';

/** What did my edit change, and by which way did it get to the answers? */
export function DiffView() {
  const asked = query.value;
  const [left, right, evaluation] = ['left', 'right', 'evaluation'].map((name) => asked.get(name) ?? undefined);
  const page = useJson<DiffPage>(`diff?${queryOf({ left, right, evaluation })}`);
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
  const group = chosenGroup(shown, asked);
  const toNode = (name: string): string => addressOf({ node: name, group: 'all', row: undefined });
  return (
    <div aria-busy={!page.isCurrent}>
      <DiffHead page={shown} />
      <VerdictView verdict={shown.verdict} />
      <Causes page={shown} isSideBySide={isSideBySide} />
      <DiffFlow page={shown} chosen={node} addressOf={toNode} />
      <div class="two-panels">
        <MetricFlips page={shown} addressOf={(name) => addressOf({ group: name, node: undefined, row: undefined })} />
        <DiffNodes nodes={shown.nodes} addressOf={toNode} />
      </div>
      <DiffRowsPanel page={shown} {...{ node, group, isSideBySide, addressOf }} />
    </div>
  );
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
  const given = asked.get('group') ?? (asked.has('node') ? 'all' : groups[0]?.name);
  return given === 'all' ? undefined : given;
}

/** What was fixed from left to right broke from right to left: `w` looks at it the other way round. */
function useSwap(page: DiffPage | undefined): void {
  const swap = (): void => {
    if (page !== undefined && isExported(swapped(page))) go(swapped(page));
  };
  useKeys([{ keys: ['w'], group: 'page', label: words.value.comparing.diff.swap, run: swap }]);
}

function swapped({ left, right, evaluation }: DiffPage): string {
  return `/diff?${queryOf({ left: right.id, right: left.id, evaluation })}`;
}

function DiffHead({ page }: { readonly page: DiffPage }) {
  const { whereYouAre, runsTitle, evaluation: evaluationWord, comparing } = words.value;
  const { diff } = comparing;
  const { left, right, paired, pairedBy, onlyLeft, onlyRight, evaluations, evaluation } = page;
  const rows = countText(Math.max(left.rows.value ?? 0, right.rows.value ?? 0));
  const about = [
    diff.paired(countText(paired), rows, diff.pairedBy[pairedBy]),
    ...(onlyLeft === 0 ? [] : [diff.onlyIn(onlyLeft, 'A')]),
    ...(onlyRight === 0 ? [] : [diff.onlyIn(onlyRight, 'B')]),
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
          {evaluations.length > 1 ? (
            <label>
              <span class="unseen">{evaluationWord}</span>
              <select
                class="button"
                value={evaluation ?? ''}
                onChange={({ currentTarget: { value } }) => setQuery({ evaluation: value, group: undefined })}
              >
                {evaluations.map((path) => (
                  <option key={path} value={path}>
                    {path}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          {isExported(swapped(page)) ? (
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
