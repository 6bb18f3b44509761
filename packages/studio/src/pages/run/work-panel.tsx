import type { WorkView } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { Mark } from '../../parts/mark.tsx';
import { words } from '../../words/words.ts';

export interface WorkPanelProps {
  readonly work: WorkView;
}

/** Who works on a run that is on workers, and what holds it back. */
export function WorkPanel({ work }: WorkPanelProps) {
  const { working } = words.value;
  const { workers, nodes, paces, budget, isStopping } = work;
  return (
    <section class="panel" aria-labelledby="work-title">
      <header>
        <h2 id="work-title">{working.title}</h2>
        {nodes.length === 0 ? null : <span class="small quiet">{nodesText(nodes)}</span>}
      </header>
      {isStopping ? <p class="legend">{working.stopping}</p> : null}
      {workers.length === 0 ? <p class="legend">{working.nobody}</p> : <Workers workers={workers} />}
      {paces.length + budget.length === 0 ? null : (
        <ul class="failures">
          {paces.map((pace) => (
            <li key={pace.connection}>
              <Mark shape="running" /> <b>{working.heldBack(pace.connection)}</b>
              {pace.most === undefined ? null : <span> · {working.calls(countText(pace.most))}</span>}
              {pace.wait === undefined ? null : <span> · {working.waits(pace.wait.text)}</span>}
            </li>
          ))}
          {budget.map(({ of, spent, most, share }) => (
            <li key={of}>
              {working.budget}, {working.budgets[of]}: {working.spent(spent.text, most.text)}{' '}
              <meter min={0} max={1} value={share} aria-label={`${working.budget}, ${working.budgets[of]}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function nodesText(nodes: WorkView['nodes']): string {
  return nodes.map(({ name, rows }) => `${name} ${countText(rows)}`).join(', ');
}

function Workers({ workers }: Pick<WorkView, 'workers'>) {
  const { working } = words.value;
  return (
    <table class="plain-table" aria-labelledby="work-title">
      <thead>
        <tr>
          <th scope="col">{working.worker}</th>
          <th scope="col" class="number">
            {working.rows}
          </th>
          <th scope="col">{working.nodes}</th>
          <th scope="col" class="number">
            {working.heard}
          </th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ name, host, process, rows, nodes, silent, lacks }) => (
          <tr key={`${name} ${host} ${process}`}>
            <th scope="row">
              {name} <small class="faint">{working.at(host, process)}</small>
            </th>
            <td class="number">
              <FigureText figure={rows} />
            </td>
            <td>{lacks === undefined ? nodesText(nodes) : <span class="bad">{working.cannot(lacks)}</span>}</td>
            <td class="number">{working.ago(silent.text)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
