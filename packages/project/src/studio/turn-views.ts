import {
  isMapping,
  type JsonValue,
  type LoopShape,
  loopShapes,
  type NodeRun,
  type RunInfo,
  tellingNodes,
  timesRound,
} from '@unroll/engine';
import { diffValues } from '@unroll/evals';
import { tokensOf } from '../prices/spent.ts';
import type { RowPage, TurnView } from '../studio-contract/contract.ts';
import { countFigure, durationFigure } from './figures.ts';
import { valueChanges } from './value-changes.ts';
import { valueView } from './value-view.ts';

type Records = ReadonlyMap<string, NodeRun>;

/** The turns of each loop in a row, side by side, with what changed in the state from one to the next. */
export function turnViews(
  info: RunInfo,
  records: Records,
  { against, firstBad }: { readonly against: Records | undefined; readonly firstBad: string | undefined },
): RowPage['loops'] {
  return loopShapes(info.nodes).map((shape) => {
    const ran = shape.members.map((nodes) => statusOf(nodes, shape, records));
    const last = timesRound(tellingNodes(shape), records.values()) - 1;
    const before = [stateBefore(shape, info, records), ...shape.stateNodes.map((name) => records.get(name)?.output)];
    return {
      name: shape.name,
      times: shape.members.length,
      turns: shape.members.map((nodes, at): TurnView => {
        const status = ran[at] ?? 'not run';
        const state = records.get(shape.stateNodes[at] ?? '')?.output;
        const other = against?.get(shape.stateNodes[at] ?? '')?.output;
        return {
          turn: at + 1,
          ...{ status, nodes },
          ...amountsOf(nodes, records),
          isLast: at === last,
          state: valueView(state, `${shape.stateNodes[at]}.output`),
          changes: status === 'bypassed' ? [] : changesOf(before[at], state),
          ...(against === undefined ? {} : { changesAgainst: changesOf(other, state) }),
          isFirstBad: firstBad !== undefined && nodes.includes(firstBad),
        };
      }),
    };
  });
}

function changesOf(left: JsonValue | undefined, right: JsonValue | undefined): TurnView['changes'] {
  return left === undefined || right === undefined ? [] : valueChanges(diffValues(left, right));
}

/** The node of the state hands the answer on in turns that are passed over: where there are others, they tell. */
function statusOf(nodes: readonly string[], { stateNodes }: LoopShape, records: Records): TurnView['status'] {
  const others = nodes.filter((name) => !stateNodes.includes(name));
  const statuses = (others.length > 0 ? others : nodes).map((name) => records.get(name)?.status ?? 'NotRun');
  if (nodes.some((name) => records.get(name)?.status === 'Failed')) return 'failed';
  if (statuses.some((status) => status === 'Completed' || status === 'Canceled')) return 'ran';
  return statuses.some((status) => status === 'Bypassed') ? 'bypassed' : 'not run';
}

/** What a node before the loop hands to its first turn. */
function stateBefore(shape: LoopShape, { nodes }: RunInfo, records: Records): JsonValue | undefined {
  const inside = new Set(shape.members.flat());
  const first = nodes.filter(({ name }) => shape.members[0]?.includes(name) === true);
  const read = first.flatMap(({ reads = [] }) => reads).filter((name) => !inside.has(name));
  return read.map((name) => records.get(name)?.output).find((output) => output !== undefined && isMapping(output));
}

function amountsOf(nodes: readonly string[], records: Records): Pick<TurnView, 'tokens' | 'duration'> {
  const runs = nodes.flatMap((name) => records.get(name) ?? []);
  const ran = runs.filter(({ durationMs }) => durationMs !== undefined);
  const ms = ran.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  return {
    tokens: countFigure(tokensOf(runs), 'tokens'),
    duration: durationFigure(ran.length === 0 ? undefined : ms),
  };
}
