import type { PlaygroundPage, Written } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { type Failure, sendJson } from '../../load/request.ts';
import { useJson } from '../../load/use-json.ts';
import { useSession } from '../../load/use-session.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { queryOf, rowAddress, runAddress } from '../../route/view.ts';
import { keyName } from '../../shell/key-hint.tsx';
import { useKeys } from '../../shell/keys.ts';
import { say } from '../../shell/said.tsx';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { AnswerPanels } from './answer-panels.tsx';
import { editsOf, revert } from './draft.ts';
import { Editor } from './editor.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { useCheck } from './use-check.ts';
import { useRowTrial } from './use-row-trial.ts';
import { WritePanel } from './write-panel.tsx';

/** What does my change do here, what will it cost everywhere, and what is written then? */
export function PlaygroundView() {
  const asked = query.value;
  const [run, line, node] = ['run', 'line', 'node'].map((name) => asked.get(name) ?? undefined);
  const page = useJson<PlaygroundPage>(`playground?${queryOf({ run, line, node })}`);
  const { pages } = words.value;
  useTitle(page.value?.node, pages.playground);
  if (page.value === undefined || (page.failure !== undefined && page.isCurrent))
    return (
      <>
        <h1>{pages.playground}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  const { value } = page;
  return (
    <div aria-busy={!page.isCurrent}>
      <Playground key={`${value.run} ${value.line} ${value.node}`} page={value} again={page.again} />
    </div>
  );
}

interface PlaygroundProps {
  readonly page: PlaygroundPage;
  /** Reads the files again. */
  readonly again: () => void;
}

function Playground({ page, again }: PlaygroundProps) {
  const { playground } = words.value.trying;
  const session = useSession();
  const isReadOnly = session?.isReadOnly !== false;
  const edits = editsOf(page);
  const check = useCheck(page, edits, isReadOnly);
  const row = useRowTrial(page, edits);
  const { write, failure } = useWriting(page, edits, check.checked, again);
  const mistakes = check.checked?.mistakes.filter(({ severity }) => severity === 'error').length ?? 0;
  const canRun = !isReadOnly && mistakes === 0 && check.failure === undefined;
  const canWrite = canRun && check.isCurrent && (check.checked?.files.length ?? 0) > 0;
  const group = 'page';
  useKeys([
    { keys: ['Control+enter'], group, label: playground.keyRun, run: () => canRun && row.run() },
    { keys: ['Escape'], group, label: playground.keyStop, run: row.stop },
    { keys: ['Control+s'], group, label: playground.keyWrite, run: () => canWrite && write() },
  ]);
  return (
    <>
      <Head
        page={page}
        canRun={canRun}
        row={row}
        revert={() => revert(page)}
        isEdited={Object.keys(edits).length > 0}
      />
      {session?.isReadOnly === true ? <p class="quiet playground-note">{playground.readOnly}</p> : null}
      {check.checked === undefined ? <div class="verdict" /> : <VerdictView verdict={check.checked.verdict} />}
      {check.failure === undefined ? null : <Told failure={check.failure} />}
      {failure === undefined ? null : (
        <Told failure={failure}>
          <button type="button" class="button" onClick={again}>
            {playground.readAgain}
          </button>
        </Told>
      )}
      <div class="playground">
        <Editor page={page} edits={edits} check={check} isReadOnly={isReadOnly} />
        <div class="playground-answers">
          <AnswerPanels page={page} trial={row.trial} stop={row.stop} />
          {isReadOnly ? null : <RowsPanel page={page} edits={edits} canRun={canRun} isCurrent={check.isCurrent} />}
        </div>
        <WritePanel checked={check.checked} canWrite={canWrite} write={write} />
      </div>
    </>
  );
}

function Told({
  failure: { message, help },
  children,
}: {
  readonly failure: Failure;
  readonly children?: preact.ComponentChildren;
}) {
  return (
    <div class="playground-told bad" role="alert">
      <p class="plain-text">
        <PlainText text={message} />
      </p>
      {help === undefined ? null : (
        <p class="plain-text quiet">
          <PlainText text={help} />
        </p>
      )}
      {children}
    </div>
  );
}

interface HeadProps {
  readonly page: PlaygroundPage;
  readonly canRun: boolean;
  readonly isEdited: boolean;
  readonly row: ReturnType<typeof useRowTrial>;
  readonly revert: () => void;
}

function Head({ page, canRun, isEdited, row, revert: back }: HeadProps) {
  const { whereYouAre, runsTitle, row: rowWord, trying } = words.value;
  const { playground } = trying;
  const isRunning = row.trial?.isRunning === true;
  return (
    <>
      <nav class="where" aria-label={whereYouAre}>
        <a href="/">{runsTitle}</a> <span aria-hidden="true">/</span>
        <a href={runAddress(page.run)}>{page.run}</a> <span aria-hidden="true">/</span>
        <a href={rowAddress(page.run, { line: page.line, repeat: 0 }, queryOf({ node: page.node }))}>
          {rowWord} {page.line}
        </a>{' '}
        <span aria-hidden="true">/</span>
        <span aria-current="page">{page.node}</span>
      </nav>
      <div class="page-head">
        <h1 dir="auto">
          {page.node} {playground.onRow(page.line)}{' '}
          <span class="about">
            <PlainText text={page.title} />
          </span>
        </h1>
        <div class="actions">
          <select
            class="button"
            aria-label={playground.node}
            value={page.node}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ run: page.run, line: String(page.line), node: value })
            }
          >
            {page.nodes.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <button type="button" class="button" disabled={!isEdited} onClick={back}>
            {playground.revert}
          </button>
          {isRunning ? (
            <button type="button" class="button" onClick={row.stop}>
              {playground.stop} <kbd>Esc</kbd>
            </button>
          ) : (
            <button type="button" class="button primary" disabled={!canRun} onClick={row.run}>
              {playground.runRow} <kbd>{keyName('Control+↵')}</kbd>
            </button>
          )}
        </div>
      </div>
    </>
  );
}

interface Writing {
  readonly write: () => void;
  readonly failure: Failure | undefined;
}

/** Writes what is shown; a file that changed meanwhile stays as it is, and what was edited too. */
function useWriting(
  page: PlaygroundPage,
  edits: ReturnType<typeof editsOf>,
  checked: ReturnType<typeof useCheck>['checked'],
  again: () => void,
): Writing {
  const [failure, setFailure] = useState<Failure>();
  const write = async (): Promise<void> => {
    if (checked === undefined) return;
    const digests = Object.fromEntries(checked.files.map(({ path, digest }) => [path, digest]));
    // Inputs stand in no file.
    const { inputs: _, ...ofFiles } = edits;
    const { run, line, node } = page;
    const answer = await sendJson<Written>('POST', 'playground/write', { run, line, node, edits: ofFiles, digests });
    setFailure('value' in answer ? undefined : answer.failure);
    if (!('value' in answer)) return;
    say(words.peek().trying.playground.written(answer.value.files.map(({ path }) => path).join(', ')));
    again();
  };
  return { write: () => void write(), failure };
}
