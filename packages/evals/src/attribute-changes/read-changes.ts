import type { FingerprintInputs } from '@unroll/engine';
import type { PartChange } from './attribution.ts';

/**
 * What the code of a node read in both of two runs, and found otherwise. What only one of them read may be of rows that only
 * one of them has. No value is told.
 */
export function readChanges(
  left: FingerprintInputs | undefined,
  right: FingerprintInputs | undefined,
): readonly PartChange[] {
  if (left === undefined || right === undefined) return [];
  return Object.entries(right).flatMap(([part, is]): readonly PartChange[] => {
    const was = left[part];
    if (was === undefined || was === is) return [];
    return [{ part: isOfOtherKey(was, is) ? `${part} (of another machine, which cannot be compared)` : part }];
  });
}

/** Digests of variables name the key they were made with, which stays on its machine. */
function isOfOtherKey(one: string, other: string): boolean {
  const [left, right] = [keyed.exec(one)?.[1], keyed.exec(other)?.[1]];
  return left !== undefined && right !== undefined && left !== right;
}

const keyed = /^([0-9a-f]{8})\.[0-9a-f]{32}$/;
