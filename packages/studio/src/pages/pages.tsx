import { EmptyView } from '../parts/state-view.tsx';
import { view } from '../route/address.ts';
import { words } from '../words/words.ts';
import { ChatView } from './chat/chat-view.tsx';
import { DiffView } from './diff/diff-view.tsx';
import { EvaluationsView } from './evaluation/evaluations-view.tsx';
import { LabelsView } from './labels/labels-view.tsx';
import { PlaygroundView } from './playground/playground-view.tsx';
import { RowView } from './row/row-view.tsx';
import { RunView } from './run/run-view.tsx';
import { RunsView } from './runs/runs-view.tsx';

/** The page of the address. */
export function Pages() {
  const shown = view.value;
  const { notFound, notFoundHelp, backToRuns } = words.value;
  if (shown.page === 'runs') return <RunsView />;
  if (shown.page === 'run') return <RunView key={shown.run} run={shown.run} />;
  if (shown.page === 'row') return <RowView run={shown.run} line={shown.line} repeat={shown.repeat} />;
  if (shown.page === 'diff') return <DiffView />;
  if (shown.page === 'labels') return <LabelsView />;
  if (shown.page === 'evaluations') return <EvaluationsView />;
  if (shown.page === 'playground') return <PlaygroundView />;
  if (shown.page === 'chat') return <ChatView />;
  return (
    <>
      <h1>{notFound}</h1>
      <EmptyView title={notFoundHelp}>
        <p class="actions">
          <a class="button" href="/">
            {backToRuns}
          </a>
        </p>
      </EmptyView>
    </>
  );
}
