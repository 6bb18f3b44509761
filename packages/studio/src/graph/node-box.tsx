import type { GraphNode, NodeCounts } from '@unroll/project/studio-contract';
import { broken } from '../parts/broken-name.tsx';
import { countText } from '../parts/count.ts';
import { Mark } from '../parts/mark.tsx';
import { kindShape, statusShape } from '../parts/status.ts';
import { words } from '../words/words.ts';
import type { MeasureName } from './measure-name.ts';

export interface NodeBoxProps {
  readonly node: GraphNode;
  readonly measure: MeasureName;
  readonly isChosen: boolean;
  readonly address: string;
}

/** A node: what it is, its name, the figure of the measure, how its rows ended. */
export function NodeBox({ node, measure, isChosen, address }: NodeBoxProps) {
  if (node.kind !== 'node')
    return (
      <span class="node-box edge">
        <EdgeText node={node} measure={measure} />
      </span>
    );
  const found = node.measures[measure];
  const isBad = isWrong(node, measure);
  const note = noteOf(node, measure);
  return (
    <a
      class={`node-box ${isBad ? 'wrong' : ''} ${isChosen ? 'chosen' : ''} ${statusClass(node)}`}
      data-level={levelOf(node, measure)}
      aria-current={isChosen ? 'true' : undefined}
      href={address}
      title={[node.label, note, node.type, node.detail, node.written].filter(Boolean).join(' · ')}
    >
      <span class="first">
        {node.status === undefined ? (
          <Mark shape={kindShape(node.type)} />
        ) : (
          <Mark shape={statusShape(node.status)} label={words.value.status[node.status]} />
        )}
        <span class="name">{broken(node.label)}</span>
        {found === undefined || found.figure.value === null ? null : (
          <span class="figure">
            {isWorse(node, measure) ? <span title={words.value.legend.worse}>▼ </span> : null}
            {words.value.figureText(found.figure.text)}
          </span>
        )}
      </span>
      <span class="second">
        {isBad ? <span class="unseen">{words.value.legend.gate}: </span> : null}
        {note}
      </span>
      {node.counts === undefined ? null : <CountsBar counts={node.counts} />}
    </a>
  );
}

/** An input or output: its name, and where something measures it, the figure. */
export function EdgeText({ node, measure }: Pick<NodeBoxProps, 'node' | 'measure'>) {
  const { figure, of } = node.measures[measure] ?? {};
  if (figure === undefined || figure.value === null) return <span>{node.label}</span>;
  return (
    <span class={isWrong(node, measure) ? 'bad' : ''} title={of}>
      {node.label} {isWorse(node, measure) ? '▼ ' : ''}
      {words.value.figureText(figure.text)}
    </span>
  );
}

/** Of scores alone it is known what is worse. */
function isWorse({ trend }: GraphNode, measure: MeasureName): boolean {
  return measure === 'score' && trend === 'worse';
}

function isWrong({ gateFails, counts, status }: GraphNode, measure: MeasureName): boolean {
  if (measure === 'score') return gateFails;
  return measure === 'status' && ((counts?.Failed ?? 0) > 0 || status === 'Failed');
}

function levelOf(node: GraphNode, measure: MeasureName): number {
  const level = measure === 'status' ? null : (node.measures[measure]?.level ?? null);
  return level === null ? 0 : 1 + Math.min(3, Math.floor(level * 4));
}

function statusClass({ status, counts }: GraphNode): string {
  const isOff = status === 'Bypassed' || status === 'NotRun';
  const ran = counts === undefined ? 1 : counts.Completed + counts.Failed + counts.Canceled;
  return isOff || ran === 0 ? 'off' : '';
}

function noteOf(node: GraphNode, measure: MeasureName): string {
  const { of } = node.measures[measure] ?? {};
  if (measure === 'score' && of !== undefined) return of;
  if (node.counts !== undefined) return countsText(node.counts);
  return node.detail ?? node.type;
}

/** `93 ran · 3 bypassed`: only what there is. */
export function countsText(counts: NodeCounts): string {
  const { legend } = words.value;
  const cached = counts.cached ?? 0;
  return [
    [counts.Failed, legend.failed],
    [counts.Completed - cached, legend.ran],
    [cached, legend.cached],
    [counts.Bypassed, legend.bypassed],
    [counts.NotRun + counts.Canceled, legend.notRun],
  ]
    .filter(([count]) => Number(count) > 0)
    .map(([count, word]) => `${countText(Number(count))} ${word}`)
    .join(' · ');
}

function CountsBar({ counts }: { readonly counts: NodeCounts }) {
  const cached = counts.cached ?? 0;
  const parts = [
    ['failed', counts.Failed],
    ['ran', counts.Completed - cached],
    ['cached', cached],
    ['bypassed', counts.Bypassed],
    ['rest', counts.NotRun + counts.Canceled],
  ] as const;
  return (
    <span class="counts" aria-hidden="true">
      {parts.map(([name, count]) => (count === 0 ? null : <i key={name} class={name} style={{ flexGrow: count }} />))}
    </span>
  );
}
