import type { NodeView, RowPage } from '@unroll/project/studio-contract';
import { broken } from '../../parts/broken-name.tsx';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { kindShape, statusShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';
import { nodeLink } from './node-link.ts';

export interface WaterfallProps {
  readonly page: RowPage;
  readonly chosen: string | undefined;
}

/** The nodes of the row in the order of the flow, each with when it ran and for how long; turns together. */
export function Waterfall({ page, chosen }: WaterfallProps) {
  const { nodesInTime, noTimes, legend, turn, tokens } = words.value;
  const end = Math.max(
    page.duration.value ?? 0,
    ...page.nodes.map((node) => (node.start ?? 0) + (node.duration.value ?? 0)),
  );
  const hasTimes = page.nodes.some(({ start }) => start !== undefined);
  return (
    <section class="panel waterfall" aria-labelledby="time-title">
      <header>
        <h2 id="time-title">{nodesInTime}</h2>
        <span class="faint small">
          {page.duration.text} · {page.tokens.text} {tokens}
        </span>
      </header>
      {hasTimes ? null : <p class="quiet small no-times">{noTimes}</p>}
      {groupsOf(page.nodes).map(({ loop, iteration, nodes }) => (
        <div key={`${loop} ${iteration} ${nodes[0]?.name}`} class={iteration > 0 ? 'turn-group' : ''}>
          {iteration > 0 ? (
            <h3>
              {loop}, {turn(iteration)}
            </h3>
          ) : null}
          <ol>
            {nodes.map((node) => (
              <li key={node.name}>
                <TimeLine node={node} end={end} isChosen={node.name === chosen} />
              </li>
            ))}
          </ol>
        </div>
      ))}
      <p class="legend">
        <span>
          <i class="swatch llm" />
          llm
        </span>
        <span>
          <i class="swatch ran" />
          {words.value.code}
        </span>
        <span>
          <Mark shape="cached" /> {legend.cached}
        </span>
        <span>
          <Mark shape="bypassed" /> {legend.bypassed}
        </span>
      </p>
    </section>
  );
}

interface Group {
  readonly loop: string;
  readonly iteration: number;
  readonly nodes: readonly NodeView[];
}

/** Nodes that follow each other in the same turn. */
function groupsOf(nodes: readonly NodeView[]): readonly Group[] {
  const groups: { readonly loop: string; readonly iteration: number; readonly nodes: NodeView[] }[] = [];
  for (const node of nodes) {
    const { loop = '', iteration = 0 } = node;
    const last = groups.at(-1);
    if (last?.loop === loop && last.iteration === iteration) last.nodes.push(node);
    else groups.push({ loop, iteration, nodes: [node] });
  }
  return groups;
}

interface TimeLineProps {
  readonly node: NodeView;
  readonly end: number;
  readonly isChosen: boolean;
}

function TimeLine({ node, end, isChosen }: TimeLineProps) {
  const { status, wentWrongFirst } = words.value;
  const isCached = node.takenFrom !== undefined || node.cache === 'hit';
  const shown = isCached && node.status === 'Completed' ? 'cached' : node.status;
  return (
    <a
      class={`time-line ${isChosen ? 'chosen' : ''}`}
      href={nodeLink(node.name)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <Mark shape={statusShape(shown)} label={status[shown]} />
      <span class="node-name">
        <Mark shape={kindShape(node.kind)} />
        <b title={node.name}>{broken(node.name)}</b>
      </span>
      <span class="bar-room">
        <Bar node={node} end={end} />
      </span>
      <span class="number">{node.status === 'Bypassed' || node.status === 'NotRun' ? '' : node.duration.text}</span>
      <span class="number faint">{node.tokens?.total.text ?? ''}</span>
      {node.did === undefined && !node.isFirstBad ? null : (
        <span class="did-line small clip">
          <span class="faint">
            <PlainText text={node.did ?? ''} />
          </span>
          {node.isFirstBad ? <span class="bad"> {wentWrongFirst}</span> : null}
        </span>
      )}
    </a>
  );
}

function Bar({ node, end }: Pick<TimeLineProps, 'node' | 'end'>) {
  if (node.start === undefined) return null;
  const share = (ms: number): string => `${end === 0 ? 0 : (ms / end) * 100}%`;
  const isModel = node.conversation.length > 0 || node.tokens !== undefined;
  const kind = node.status === 'Failed' ? 'failed' : isModel ? 'llm' : 'code';
  return <i class={kind} style={{ left: share(node.start), width: share(node.duration.value ?? 0) }} />;
}
