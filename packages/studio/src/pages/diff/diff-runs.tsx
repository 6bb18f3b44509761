import type { DiffPage, RunLine } from '@unroll/project/studio-contract';
import { FigureText } from '../../parts/figure-text.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface DiffRunsProps {
  readonly page: DiffPage;
}

/** What the two runs were, and what they took. */
export function DiffRuns({ page: { left, right } }: DiffRunsProps) {
  const { diff } = words.value.comparing;
  const { columns } = diff;
  return (
    <section class="panel" aria-labelledby="diff-runs-title">
      <header>
        <h2 id="diff-runs-title">{diff.runs}</h2>
      </header>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{columns.run}</th>
            <th scope="col">{columns.flow}</th>
            <th scope="col">{columns.data}</th>
            <th scope="col">{columns.started}</th>
            {(['rows', 'failed', 'tokens', 'cost', 'duration'] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Line letter="A" run={left} />
          <Line letter="B" run={right} />
        </tbody>
      </table>
    </section>
  );
}

function Line({ letter, run }: { readonly letter: string; readonly run: RunLine }) {
  const { columns } = words.value.comparing.diff;
  const started = new Date(run.startedAt);
  return (
    <tr>
      <th scope="row">
        <span class="faint">{letter}</span> <a href={runAddress(run.id)}>{run.name ?? run.id}</a>
      </th>
      <td class="quiet path" data-title={columns.flow}>
        <PathText path={run.flowPath ?? run.flow} />
      </td>
      <td class="quiet path" data-title={columns.data}>
        <PathText path={run.data ?? ''} />
      </td>
      <td class="quiet one-line" data-title={columns.started} title={started.toISOString()}>
        {started.toLocaleString(words.value.language, { dateStyle: 'medium', timeStyle: 'short' })}
      </td>
      {(['rows', 'failed', 'tokens', 'cost', 'duration'] as const).map((name) => (
        <td key={name} class="number" data-title={columns[name]}>
          <FigureText figure={run[name]} />
        </td>
      ))}
    </tr>
  );
}
