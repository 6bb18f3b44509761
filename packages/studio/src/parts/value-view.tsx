import { signal } from '@preact/signals';
import type { Value } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../load/request.ts';
import { words } from '../words/words.ts';
import { countText } from './count.ts';
import { picturesIn, withShortPictures } from './pictures-in.ts';
import { PlainText } from './plain-text.tsx';
import { shortened } from './shorten.ts';

/** Counts presses of "show all of every text". */
export const unfolds = signal(0);

/** A browser lays out so many characters at once; more is shown piece by piece. */
const piece = 65_536;

export interface ValueViewProps {
  readonly value: Value;
  /** Where the rest of a cut value is asked for: `runs/RUN/rows/LINE/REPEAT/values/`. */
  readonly rest: string;
  /** Lines before it is cut; 12. */
  readonly lines?: number;
  /** In the type of reading, for prompts and answers. */
  readonly isReading?: boolean;
}

/** A recorded value as text, never as markup; long ones begin short. */
export function ValueView({ value, rest, lines = 12, isReading = false }: ValueViewProps) {
  const [shown, setShown] = useState(0);
  const { whole, problem, load } = useWhole(value, rest);
  if (value.form === 'none') return <span class="faint">{words.value.nothing}</span>;
  const text = whole ?? value.text;
  const size = Math.max(value.size, text.length);
  const unfolded = Math.max(shown, unfolds.value > 0 ? piece : 0);
  const seen =
    unfolded === 0 ? shortened(value.form === 'json' ? withShortPictures(text) : text, lines) : text.slice(0, unfolded);
  const showMore = async (): Promise<void> => {
    if (whole === undefined && !(await load())) return;
    setShown(unfolded + piece);
  };
  const Tag = isReading && value.form === 'text' ? 'p' : 'pre';
  return (
    <>
      <Tag class={`plain-text ${isReading ? 'reading' : ''}`} lang={value.language} dir="auto">
        {value.form === 'json' ? <Json text={seen} /> : <PlainText text={seen} />}
        {seen.length < size ? <span class="faint"> …</span> : null}
      </Tag>
      {(value.form === 'json' ? picturesIn(text) : []).map((source) => (
        <img key={source} class="picture" src={source} alt={words.value.image} />
      ))}
      <MoreOrLess
        seen={seen.length}
        size={size}
        showMore={showMore}
        showLess={shown === 0 ? undefined : () => setShown(0)}
      />
      {problem === undefined ? null : (
        <p class="warn small" role="alert">
          {words.value.restFailed} <PlainText text={problem} />
        </p>
      )}
    </>
  );
}

/** All of a value that is cut, once it was asked for: for its pictures at once. */
function useWhole(value: Value, rest: string) {
  const [whole, setWhole] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const load = async (): Promise<boolean> => {
    if (!value.isCut || value.ref === undefined) return true;
    const answer = await request<Value>(`${rest}${encodeURIComponent(value.ref)}`);
    const isFailed = 'failure' in answer;
    setProblem(isFailed ? answer.failure.message : undefined);
    if (!isFailed) setWhole(answer.value.text);
    return !isFailed;
  };
  useEffect(() => {
    if (value.holdsPictures === true) void load();
  }, [value.ref, rest]);
  return { whole, problem, load };
}

interface MoreOrLessProps {
  readonly seen: number;
  readonly size: number;
  readonly showMore: () => void;
  readonly showLess: (() => void) | undefined;
}

function MoreOrLess({ seen, size, showMore, showLess }: MoreOrLessProps) {
  const { showAll, showMore: moreWords, showLess: lessWords } = words.value;
  if (seen >= size && showLess === undefined) return null;
  const rest = size - seen;
  return (
    <div class="show-all">
      {rest <= 0 ? null : (
        <button type="button" class="link" onClick={showMore}>
          {rest > piece ? moreWords(countText(piece)) : showAll(countText(size))}
        </button>
      )}
      {showLess === undefined ? null : (
        <button type="button" class="link" onClick={showLess}>
          {lessWords}
        </button>
      )}
    </div>
  );
}

const key = /^(\s*)("(?:[^"\\]|\\.)*")(?=:)/;

/** Keys are quiet, values are ink. */
function Json({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, index) => {
        const [found = '', indent = '', name = ''] = key.exec(line) ?? [];
        return (
          <span key={index}>
            {index > 0 ? '\n' : ''}
            {indent}
            {name === '' ? null : (
              <span class="faint">
                <PlainText text={name} />
              </span>
            )}
            <PlainText text={line.slice(found.length)} />
          </span>
        );
      })}
    </>
  );
}
