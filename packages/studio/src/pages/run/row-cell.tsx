import type { CellScore, RowColumn, RowLine } from '@unroll/project/studio-contract';
import type { JSX } from 'preact';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { Pips } from '../../parts/pips.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { statusShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';

type Draw = (row: RowLine, name: string) => JSX.Element | string | null;

const drawers: Readonly<Record<RowColumn['kind'], Draw>> = {
  line: ({ line, repeat }) => (repeat === 0 ? countText(line) : `${countText(line)}.${repeat}`),
  status: ({ status }) => <Mark shape={statusShape(status)} label={words.value.status[status]} />,
  text: (row, name) => <TextCell row={row} name={name} />,
  node: ({ firstBad }) =>
    firstBad === undefined ? null : (
      <span class="tag" title={firstBad}>
        {firstBad}
      </span>
    ),
  turns: ({ turns }, loop) => {
    const found = turns[loop];
    return found === undefined ? null : <Pips {...found} />;
  },
  score: ({ scores }, metric) => <ScoreText score={scores[metric]} />,
  label: ({ labels }, name) => {
    const found = labels[name];
    return found === undefined ? null : <span class="tag">{words.value.label[found]}</span>;
  },
  figure: (row, name) => {
    const figure = name === 'ms' ? row.duration : name === 'cost' ? row.cost : row.tokens;
    return figure.value === null ? (
      <span class="faint" title={figure.why === undefined ? undefined : words.value.figureWhy(figure.why)}>
        {figure.text}
      </span>
    ) : (
      words.value.figureText(figure.text)
    );
  },
};

/** One cell; ids of columns are `kind.name`, or the name alone. */
export function rowCell(row: RowLine, { id, kind }: RowColumn): JSX.Element | string | null {
  return drawers[kind](row, id.includes('.') ? id.slice(id.indexOf('.') + 1) : id);
}

function TextCell({ row, name }: { readonly row: RowLine; readonly name: string }) {
  const isInput = name in row.inputs;
  const text = (isInput ? row.inputs[name] : row.outputs[name]) ?? '';
  if (!isInput && text === '' && row.error !== undefined)
    return (
      <span class="clip bad">
        {row.error.node === undefined ? '' : `${row.error.node}: `}
        <PlainText text={words.value.told(row.error.message)} />
      </span>
    );
  return (
    <bdi class="clip" lang={row.language}>
      <PlainText text={text} />
    </bdi>
  );
}

/** A tick or a cross for a pass metric, else its figure; a flip against the run compared with is marked. */
export function ScoreText({ score }: { readonly score: CellScore | undefined }) {
  const { passes, doesNotPass, noScore, filterNames } = words.value;
  if (score === undefined || score.figure.value === null)
    return (
      <span class="faint" title={score?.why ?? noScore}>
        <span aria-hidden="true">–</span>
        <span class="unseen">{score?.why ?? noScore}</span>
      </span>
    );
  const flip = score.flip === undefined ? null : <Flip flip={score.flip} word={filterNames[score.flip]} />;
  if (score.passed === undefined)
    return (
      <>
        {flip}
        {words.value.figureText(score.figure.text)}
      </>
    );
  return (
    <>
      {flip}
      <Mark shape={score.passed ? 'passes' : 'does-not-pass'} label={score.passed ? passes : doesNotPass} />
    </>
  );
}

/** Down where it was better before, up where it is better now. */
function Flip({ flip, word }: { readonly flip: NonNullable<CellScore['flip']>; readonly word: string }) {
  const isDown = flip === 'broken' || flip === 'worse';
  return (
    <span class="flip" role="img" aria-label={word} title={word}>
      {isDown ? '▼' : '▲'}
    </span>
  );
}
