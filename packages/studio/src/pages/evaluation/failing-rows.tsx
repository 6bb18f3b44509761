import type { EvaluationPage, FailingGroup } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { rowAddress, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

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
            <Loop key={loop.name} loop={loop} />
          ))}
        </section>
      ))}
    </div>
  );
}

const mostExamples = 3;

function Group({
  run,
  group: { node, metric, rows, examples },
}: {
  readonly run: string;
  readonly group: FailingGroup;
}) {
  const { failuresOf, row, expected: expectedWord, got, comparing } = words.value;
  const filter = JSON.stringify({ by: 'first-bad', node });
  return (
    <li>
      <p>
        <a href={runAddress(run, new URLSearchParams({ filter }))}>
          <b>{failuresOf(rows)}</b>
        </a>{' '}
        <code>{node}</code>{' '}
        <span class="quiet">
          {metric === 'failed' ? comparing.evaluation.nodeFailed : comparing.evaluation.fails(metric)}
        </span>
      </p>
      {examples.slice(0, mostExamples).map((example) => (
        <p key={`${example.line} ${example.repeat}`} class="small example">
          <a href={rowAddress(run, example)}>
            {row} {example.line}
          </a>{' '}
          {example.expected === undefined ? null : (
            <span>
              <span class="faint">{expectedWord}</span> <PlainText text={short(example.expected.text)} />
            </span>
          )}{' '}
          {example.actual === undefined ? null : (
            <span>
              <span class="faint">{got}</span> <PlainText text={short(example.actual.text)} />
            </span>
          )}{' '}
          {example.reason === undefined ? null : (
            <span class="quiet">
              <PlainText text={short(example.reason)} />
            </span>
          )}
        </p>
      ))}
    </li>
  );
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

function Loop({ loop }: { readonly loop: EvaluationPage['runs'][number]['loops'][number] }) {
  const { comparing, legend, tokens } = words.value;
  const { evaluation } = comparing;
  const hasRight = loop.turns.some(({ rightByNow }) => rightByNow !== undefined);
  return (
    <>
      <h3 class="loop-title">
        {evaluation.turnsOf(loop.name)}{' '}
        {loop.neverEnded === 0 ? null : <span class="bad small">{evaluation.never(countText(loop.neverEnded))}</span>}
      </h3>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{evaluation.turn}</th>
            <th scope="col" class="number">
              {legend.ran}
            </th>
            <th scope="col" class="number">
              {evaluation.ended}
            </th>
            {hasRight ? (
              <th scope="col" class="number">
                {evaluation.right}
              </th>
            ) : null}
            <th scope="col" class="number">
              {tokens}
            </th>
          </tr>
        </thead>
        <tbody>
          {loop.turns.map((turn) => (
            <tr key={turn.turn}>
              <th scope="row">{turn.turn}</th>
              <td class="number" data-title={legend.ran}>
                {countText(turn.ran)}
              </td>
              <td class="number" data-title={evaluation.ended}>
                {countText(turn.ended)}
              </td>
              {hasRight ? (
                <td class="number" data-title={evaluation.right}>
                  {turn.rightByNow === undefined ? '–' : countText(turn.rightByNow)}
                </td>
              ) : null}
              <td class="number" data-title={tokens}>
                {turn.tokens.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
