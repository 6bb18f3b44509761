import type { EvaluationPage } from '@unroll/project/studio-contract';
import { GraphView } from '../../graph/graph-view.tsx';
import { Segments } from '../../parts/segments.tsx';
import { query, setQuery } from '../../route/address.ts';
import { queryOf, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface FlowByMetricsProps {
  readonly page: EvaluationPage;
}

/** The flow of one of the runs, the newest unless said otherwise: at each node the worst of its metrics. */
export function FlowByMetrics({ page: { runs } }: FlowByMetricsProps) {
  const { comparing, legend, theFlow } = words.value;
  const drawn = runs.filter(({ graph }) => graph !== undefined);
  const shown = drawn.find(({ run }) => run.id === query.value.get('flow')) ?? drawn.at(-1);
  if (shown?.graph === undefined) return null;
  const { graph, run } = shown;
  return (
    <section class="panel" aria-labelledby="flow-title">
      <header>
        <h2 id="flow-title">{comparing.evaluation.flow}</h2>
        {drawn.length < 2 ? null : (
          <Segments
            label={words.value.run}
            choices={drawn.map((one) => ({ id: one.run.id, text: one.run.name ?? one.run.id }))}
            chosen={run.id}
            choose={(flow) => setQuery({ flow }, 'replace')}
          />
        )}
      </header>
      <GraphView
        graph={graph}
        measure="score"
        label={theFlow.folded}
        addressOf={({ label }) => runAddress(run.id, queryOf({ node: label }))}
      />
      <p class="legend">
        <span>
          <i class="swatch wrong" />
          {legend.gate}
        </span>
        <span>
          {[1, 2, 3, 4].map((level) => (
            <i key={level} class={`swatch level-${level}`} />
          ))}
          {legend.lowToHigh}
        </span>
      </p>
    </section>
  );
}
