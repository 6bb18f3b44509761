import { type LoopShape, loopShapes, type RunInfo } from '@unroll/engine';
import type { EvalResult } from '@unroll/evals';
import { sumOfSpent } from '../prices/spent.ts';
import type { LoopIndex, RowIndex } from '../row-index/row-index.ts';
import type { LoopView } from '../studio-contract/contract.ts';
import { costFigure, countFigure, noFigure } from './figures.ts';

/** How the rows went round each loop; with what an evaluation says of it. */
export function loopViews(
  info: RunInfo,
  index: RowIndex | undefined,
  result: EvalResult | undefined,
): readonly LoopView[] {
  return loopShapes(info.nodes).map((shape) => {
    const family = result?.families.find((one) => one.family === shape.stateFamily);
    const loop = index?.loops.get(shape.name);
    return {
      name: shape.name,
      times: shape.members.length,
      turns: shape.members.map((nodes, at) => {
        const right = family?.iterations[at]?.rightByNow;
        return {
          turn: at + 1,
          nodes,
          ran: loop?.ran.reduce((rows, ran) => rows + (ran > at ? 1 : 0), 0) ?? 0,
          ended: loop === undefined ? 0 : endedAfter(loop, at + 1),
          ...amountsOf(nodes, index),
          rightByNow: right,
        };
      }),
      neverEnded: loop?.ended.reduce((rows, ended) => rows + (ended ? 0 : 1), 0) ?? 0,
      stopped: family?.stopped,
      recommendedTimes: family?.recommendedTimes,
      lostLater: family?.lostLater,
    };
  });
}

function endedAfter({ ran, ended }: LoopIndex, turn: number): number {
  return ran.reduce((rows, last, at) => rows + (last === turn && ended[at] === true ? 1 : 0), 0);
}

function amountsOf(
  nodes: LoopShape['members'][number],
  index: RowIndex | undefined,
): Pick<LoopView['turns'][number], 'tokens' | 'cost'> {
  if (index === undefined) return { tokens: noFigure('tokens', 'not read yet'), cost: noFigure('USD', 'not read yet') };
  const spent = sumOfSpent(nodes.flatMap((name) => index.nodes.get(name)?.spent ?? []));
  return { tokens: countFigure(spent.tokens, 'tokens'), cost: costFigure(spent.cost, spent.isCostPartial) };
}
