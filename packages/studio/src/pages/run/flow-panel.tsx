import type { GraphNode, LoopView, RowFilter, RunPage } from '@unroll/project/studio-contract';
import { GraphView } from '../../graph/graph-view.tsx';
import type { MeasureName } from '../../graph/measure-name.ts';
import { countsText } from '../../graph/node-box.tsx';
import { Segments } from '../../parts/segments.tsx';
import { query, setQuery } from '../../route/address.ts';
import { runAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { filterText } from './filter-text.ts';
import { filtersOf, toggledFilter } from './row-query.ts';

export interface FlowPanelProps {
  readonly page: RunPage;
}

/** The graph coloured by a measure, loops folded or turn by turn, and what the chosen node came to. */
export function FlowPanel({ page }: FlowPanelProps) {
  const asked = query.value;
  const { flow, colourBy, loops, folded, unfolded, measures: names, theFlow, keys } = words.value;
  const measure = page.measures.find((one) => one === asked.get('colour')) ?? bestMeasure(page);
  const isFolded = asked.get('loops') === 'folded' && page.folded !== undefined;
  const graph = isFolded && page.folded !== undefined ? page.folded : page.unfolded;
  const chosen = nodeOf(graph.nodes, asked.get('node'));
  const colour = (to: MeasureName): void => setQuery({ colour: to }, 'replace');
  const fold = (to: string): void => setQuery({ loops: to === 'folded' ? 'folded' : undefined }, 'replace');
  const nextColour = (): void =>
    colour(page.measures[(page.measures.indexOf(measure) + 1) % page.measures.length] ?? measure);
  useKeys([
    { keys: ['m'], group: 'page', label: keys.colour, run: nextColour },
    { keys: ['o'], group: 'page', label: keys.fold, run: () => fold(isFolded ? 'unfolded' : 'folded') },
  ]);
  return (
    <section class="panel" aria-labelledby="flow-title">
      <header>
        <h2 id="flow-title">{flow}</h2>
        <span class="quiet small">{colourBy}</span>
        <Segments
          label={colourBy}
          choices={page.measures.map((id) => ({ id, text: names[id] }))}
          chosen={measure}
          choose={colour}
        />
        {page.folded === undefined ? null : (
          <Segments
            label={loops}
            choices={[
              { id: 'unfolded', text: unfolded },
              { id: 'folded', text: folded },
            ]}
            chosen={isFolded ? 'folded' : 'unfolded'}
            choose={fold}
          />
        )}
      </header>
      {page.loops.map((loop) => (
        <LoopFacts key={loop.name} loop={loop} />
      ))}
      <GraphView
        graph={graph}
        measure={measure}
        label={isFolded ? theFlow.folded : theFlow.unfolded}
        addressOf={(node) => nodeAddress(page.run.id, node, chosen?.id)}
        {...(chosen === undefined ? {} : { chosen: chosen.id })}
      />
      <Legend measure={measure} />
      {chosen === undefined ? null : <ChosenNode node={chosen} />}
    </section>
  );
}

function bestMeasure({ measures }: RunPage): MeasureName {
  return measures.includes('score') ? 'score' : 'status';
}

/** By the name of a recorded node, as places name it, or by its label. */
function nodeOf(nodes: readonly GraphNode[], name: string | null): GraphNode | undefined {
  return nodes.find((node) => node.kind === 'node' && (node.label === name || node.nodes.includes(name ?? '')));
}

function nodeAddress(run: string, node: GraphNode, chosen: string | undefined): string {
  const next = new URLSearchParams(query.peek());
  if (node.id === chosen) next.delete('node');
  else next.set('node', node.label);
  return runAddress(run, next);
}

function LoopFacts({ loop: { name, times, until, turns, neverEnded } }: { readonly loop: LoopView }) {
  const { turns: turnsText, until: untilText, endedAfter, neverEnded: never } = words.value;
  const ended = turns.filter((turn) => turn.ended > 0).map((turn) => `${turn.turn}: ${turn.ended}`);
  return (
    <p class="loop-facts">
      <span>{turnsText(name, times)}</span>
      {until === undefined ? null : <span>{untilText(until)}</span>}
      <span>
        {endedAfter} {[...ended, ...(neverEnded > 0 ? [`${never}: ${neverEnded}`] : [])].join(' · ')}
      </span>
    </p>
  );
}

function Legend({ measure }: { readonly measure: MeasureName }) {
  const { legend } = words.value;
  return (
    <p class="legend">
      {measure === 'score' ? (
        <span>
          <i class="swatch wrong" />
          {legend.gate}
        </span>
      ) : null}
      {measure === 'status' ? null : (
        <>
          <span>
            {[1, 2, 3, 4].map((level) => (
              <i key={level} class={`swatch level-${level}`} />
            ))}
            {legend.lowToHigh}
          </span>
          <span>
            <i class="swatch level-0" />
            {legend.none}
          </span>
        </>
      )}
      <span class="push">
        <span>
          <i class="swatch ran" />
          {legend.ran}
        </span>
        <span>
          <i class="swatch cached" />
          {legend.cached}
        </span>
        <span>
          <i class="swatch bypassed" />
          {legend.bypassed}
        </span>
      </span>
    </p>
  );
}

/** What the node came to in all rows, and the rows behind each of it. */
function ChosenNode({ node }: { readonly node: GraphNode }) {
  const filters = filtersOf(query.value);
  const { measures, legend } = words.value;
  const figures = Object.entries(node.measures).filter(([, { figure }]) => figure.value !== null);
  return (
    <div class="chosen-node" role="status">
      <b>{node.label}</b>
      <span class="quiet">{[node.type, node.detail, node.written].filter(Boolean).join(' · ')}</span>
      {node.counts === undefined ? null : <span>{countsText(node.counts)}</span>}
      {figures.map(([name, { figure, of }]) => (
        <span key={name}>
          <span class="faint">{of ?? measures[name as MeasureName] ?? name}</span> {words.value.figureText(figure.text)}
        </span>
      ))}
      {node.firstBad > 0 ? (
        <span class="bad">
          {node.firstBad} {legend.firstBad}
        </span>
      ) : null}
      {nodeFilters(node).map((filter) => {
        const next = toggledFilter(filters, filter);
        const isOn = next.length < filters.length;
        return (
          <button
            key={JSON.stringify(filter)}
            type="button"
            class="chip"
            aria-pressed={isOn}
            onClick={() => setQuery({ filter: next, at: undefined })}
          >
            {filterText(filter)}
          </button>
        );
      })}
    </div>
  );
}

function nodeFilters({ label, counts, firstBad }: GraphNode): readonly RowFilter[] {
  const statuses = (['Failed', 'Bypassed', 'NotRun', 'Canceled'] as const).filter((is) => (counts?.[is] ?? 0) > 0);
  return [
    ...(firstBad > 0 ? [{ by: 'first-bad' as const, node: label }] : []),
    ...statuses.map((is) => ({ by: 'node' as const, node: label, is })),
    ...((counts?.cached ?? 0) > 0 ? [{ by: 'node' as const, node: label, is: 'cached' as const }] : []),
  ];
}
