import { diffShownWords, type ValueChange } from '@unroll/evals';
import type { ValueChangeView, WordChange } from '../studio-contract/contract.ts';
import { valueView } from './value-view.ts';

/** Characters of both texts beyond which words are not compared: it takes their product. */
const maxCompared = 20_000;
const longestShown = 4000;
/** The prompts of a run's rows differ in the same places: of 1,966 comparisons of an export 127 were different ones. */
const maxKept = 200;
const kept = new Map<string, readonly WordChange[]>();

export function valueChanges(changes: readonly ValueChange[]): readonly ValueChangeView[] {
  return changes.map(({ path, left, right }) => {
    const words = typeof left === 'string' && typeof right === 'string' ? wordChanges(left, right) : undefined;
    return {
      path,
      ...(left === undefined ? {} : { left: valueView(left, undefined, longestShown) }),
      ...(right === undefined ? {} : { right: valueView(right, undefined, longestShown) }),
      ...(words === undefined ? {} : { words }),
    };
  });
}

/** Undefined for texts that are too long to compare. */
export function wordChanges(left: string, right: string): readonly WordChange[] | undefined {
  if (left.length + right.length > maxCompared) return undefined;
  const key = JSON.stringify([left, right]);
  const changes = kept.get(key) ?? diffShownWords(left, right);
  // What was asked for last stands last; the first one goes.
  kept.delete(key);
  kept.set(key, changes);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return changes;
}
