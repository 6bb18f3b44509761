import { diffWords, type ValueChange } from '@unroll/evals';
import type { ValueChangeView, WordChange } from '../studio-contract/contract.ts';
import { valueView } from './value-view.ts';

/** Characters of both texts beyond which words are not compared: it takes their product. */
const maxCompared = 20_000;
const longestShown = 4000;

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
  return left.length + right.length > maxCompared ? undefined : diffWords(left, right);
}
