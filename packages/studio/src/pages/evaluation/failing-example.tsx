import type { FailingGroup } from '@unroll/project/studio-contract';
import { PlainText } from '../../parts/plain-text.tsx';
import { rowAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface ExampleProps {
  readonly run: string;
  readonly example: FailingGroup['examples'][number];
}

type Side = 'expected' | 'actual';

/** A row that fails: what was expected, what was there and why it is wrong; long values on request. */
export function Example({ run, example }: ExampleProps) {
  const { row, toldEnd } = words.value;
  const { line, repeat } = example;
  const reason = example.reason === undefined ? undefined : toldEnd(example.reason);
  const sides = (['expected', 'actual'] as const).filter((side) => example[side] !== undefined);
  const isLong = sides.some((side) => short(example[side]?.text ?? '') !== example[side]?.text);
  const link = (
    <a href={rowAddress(run, example)}>
      {row} {repeat === 0 ? line : `${line}/${repeat}`}
    </a>
  );
  const said = (
    <>
      {sides.map((side) => (
        <span key={side}>
          <span class="faint">{sideWord(side)}</span> <PlainText text={short(example[side]?.text ?? '')} />
        </span>
      ))}{' '}
      {reason === undefined ? null : (
        <span class="quiet">
          <PlainText text={reason.split('\n')[0] ?? ''} />
        </span>
      )}
    </>
  );
  if (!isLong && !reason?.includes('\n'))
    return (
      <p class="small example">
        {link} {said}
      </p>
    );
  return (
    <div class="small example">
      {link}
      <details>
        <summary>{said}</summary>
        {sides.map((side) => (
          <div key={side}>
            <b class="faint">{sideWord(side)}</b>
            <pre class="plain-text">
              <PlainText text={example[side]?.text ?? ''} />
              {example[side]?.isCut === true ? ' …' : ''}
            </pre>
          </div>
        ))}
        {reason?.includes('\n') === true ? (
          <pre class="plain-text">
            <PlainText text={reason} />
          </pre>
        ) : null}
      </details>
    </div>
  );
}

function sideWord(side: Side): string {
  return side === 'expected' ? words.value.expected : words.value.got;
}

const shortest = 90;

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > shortest ? `${line.slice(0, shortest)}…` : line;
}
