import type { Value, ValueChangeView, WordChange } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { countText } from '../../parts/count.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { ValueView } from '../../parts/value-view.tsx';
import { WordChanges } from '../../parts/word-changes.tsx';
import { words } from '../../words/words.ts';

export interface ChangeViewProps {
  readonly change: ValueChangeView;
  readonly rest: string;
}

/** More than this is folded. */
const max = 160;
/** Characters that are left on each side of a change. */
const beside = 32;

/** One place of a value: what was there struck through, what is there now underlined. */
export function ChangeView({ change: { path, left, right, words: changed }, rest }: ChangeViewProps) {
  const [isWhole, setWhole] = useState(false);
  const size = Math.max(left?.size ?? 0, right?.size ?? 0);
  const name = path === '' ? null : <code class="change-path">{path}</code>;
  if (isWhole)
    return (
      <>
        {name}
        {left === undefined ? null : (
          <del>
            <ValueView value={left} rest={rest} lines={40} />
          </del>
        )}
        {right === undefined ? null : (
          <ins>
            <ValueView value={right} rest={rest} lines={40} />
          </ins>
        )}
        <button type="button" class="link" onClick={() => setWhole(false)}>
          {words.value.showLess}
        </button>
      </>
    );
  const isLong = size > max;
  return (
    <>
      {name} {changed !== undefined ? <WordChanges changes={folded(changed)} /> : <Sides left={left} right={right} />}{' '}
      {isLong ? (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {words.value.showAll(countText(size))}
        </button>
      ) : null}
    </>
  );
}

/** Long stretches without a change are cut to what stands beside the changes. */
function folded(changes: readonly WordChange[]): readonly WordChange[] {
  return changes.map((change, index) => {
    if (change.kind !== 'same' || change.text.length <= 2 * beside + 1) return change;
    const before = index === 0 ? '' : change.text.slice(0, beside);
    const after = index === changes.length - 1 ? '' : change.text.slice(-beside);
    return { kind: 'same', text: `${before} … ${after}` };
  });
}

function Sides({ left, right }: { readonly left: Value | undefined; readonly right: Value | undefined }) {
  return (
    <span class="plain-text">
      {left === undefined ? null : (
        <del>
          <PlainText text={begun(left)} />
        </del>
      )}{' '}
      {right === undefined ? null : (
        <ins>
          <PlainText text={begun(right)} />
        </ins>
      )}
    </span>
  );
}

function begun({ text }: Value): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
