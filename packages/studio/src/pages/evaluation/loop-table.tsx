import type { LoopView } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { words } from '../../words/words.ts';

export interface LoopTableProps {
  readonly loop: LoopView;
}

type TurnFigures = LoopView['turns'][number];

/** How the rows went round a loop: in how many each turn ran, ended, was right; and how the decision to stop came out. */
export function LoopTable({ loop }: LoopTableProps) {
  const { comparing, legend, tokens, cost } = words.value;
  const { evaluation } = comparing;
  const max = Math.max(1, ...loop.turns.map(({ ran }) => ran));
  const rows = (count: number) => ({ text: countText(count), share: count / max });
  const columns = [
    { title: legend.ran, cell: (turn: TurnFigures) => rows(turn.ran) },
    { title: evaluation.ended, cell: (turn: TurnFigures) => rows(turn.ended) },
    ...(loop.turns.some(({ rightByNow }) => rightByNow !== undefined)
      ? [
          {
            title: evaluation.right,
            cell: ({ rightByNow }: TurnFigures) => (rightByNow === undefined ? { text: '–' } : rows(rightByNow)),
          },
        ]
      : []),
    { title: tokens, cell: (turn: TurnFigures) => ({ text: turn.tokens.text }) },
    ...(loop.turns.some((turn) => turn.cost.value !== null)
      ? [{ title: cost, cell: (turn: TurnFigures) => ({ text: turn.cost.text }) }]
      : []),
  ];
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
            {columns.map(({ title }) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loop.turns.map((turn) => (
            <tr key={turn.turn}>
              <th scope="row">{turn.turn}</th>
              {columns.map(({ title, cell }) => (
                <Cell key={title} title={title} {...cell(turn)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="legend">
        {factsOf(loop).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
    </>
  );
}

function Cell({ title, text, share }: { readonly title: string; readonly text: string; readonly share?: number }) {
  return (
    <td class="number" data-title={title}>
      {share === undefined ? null : (
        <i class="share-bar" style={{ width: `${(share * 48).toFixed(1)}px` }} aria-hidden="true" />
      )}
      {text}
    </td>
  );
}

function factsOf({ stopped, lostLater = 0, recommendedTimes }: LoopView): readonly string[] {
  const { evaluation } = words.value.comparing;
  return [
    ...(stopped === undefined ? [] : [evaluation.stopped(stopped)]),
    ...(lostLater === 0 ? [] : [evaluation.lostLater(countText(lostLater))]),
    ...(recommendedTimes === undefined ? [] : [evaluation.recommended(recommendedTimes)]),
  ];
}
