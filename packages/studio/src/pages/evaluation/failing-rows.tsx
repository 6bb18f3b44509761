import type { EvaluationPage, FailingGroup } from '@unroll/project/studio-contract';
import { runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { Example } from './failing-example.tsx';
import { LoopTable } from './loop-table.tsx';

export interface FailingRowsProps {
  readonly page: EvaluationPage;
}

/** Of each run the failing rows by the node at which they went wrong first, and how its loops went round. */
export function FailingRows({ page: { runs } }: FailingRowsProps) {
  const { evaluation } = words.value.comparing;
  return (
    <div class="failing">
      {runs.map(({ run, failing, loops }) => (
        <section key={run.id} class="panel" aria-label={evaluation.failingOf(run.name ?? run.id)}>
          <header>
            <h2>{evaluation.failingOf(run.name ?? run.id)}</h2>
          </header>
          {failing.length === 0 ? <p class="body quiet">{evaluation.noneFails}</p> : null}
          <ul class="failures">
            {failing.map((group) => (
              <Group key={`${group.node} ${group.metric}`} run={run.id} group={group} />
            ))}
          </ul>
          {loops.map((loop) => (
            <LoopTable key={loop.name} loop={loop} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Group({
  run,
  group: { node, metric, rows, examples },
}: {
  readonly run: string;
  readonly group: FailingGroup;
}) {
  const { failuresOf, comparing } = words.value;
  const filter = JSON.stringify({ by: 'first-bad', node });
  const address = runAddress(run, new URLSearchParams({ filter }));
  return (
    <li>
      <p>
        <a href={address}>
          <b>{failuresOf(rows)}</b>
        </a>{' '}
        <code>{node}</code>{' '}
        <span class="quiet">
          {metric === 'failed' ? comparing.evaluation.nodeFailed : comparing.evaluation.fails(metric)}
        </span>
      </p>
      {examples.map((example) => (
        <Example key={`${example.line} ${example.repeat}`} run={run} example={example} />
      ))}
      {rows <= examples.length ? null : (
        <p class="small">
          <a class="more-rows" href={address}>
            {comparing.evaluation.moreRows(rows - examples.length)}
          </a>
        </p>
      )}
    </li>
  );
}
