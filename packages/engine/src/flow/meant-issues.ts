import type * as z from 'zod';
import { nearestName } from '../source/nearest-name.ts';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with a value that may have several forms: the mistakes in the form that is nearest to what was written, each
 * at its own place. The issue itself where it is of no form at all, or there are no forms.
 */
export function meantIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [nearest] = issue.errors
    .filter((mistakes) => mistakes.length > 0 && mistakes.every(isWithin))
    .toSorted((one, other) => mistakesIn(one) - mistakesIn(other));
  if (nearest === undefined) return [issue];
  return nearest.flatMap((one) => meantIssues({ ...one, path: [...issue.path, ...one.path] }));
}

/** The value is of that form, and a part of it is wrong. */
function isWithin({ code, path }: Issue): boolean {
  return path.length > 0 || code === 'unrecognized_keys';
}

/** A key that is missing and one nearly like it that is unknown are one mistake. */
function mistakesIn(mistakes: readonly Issue[]): number {
  const unknown = mistakes.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []));
  const missing = mistakes.flatMap(({ code, path }) => (code === 'unrecognized_keys' ? [] : [String(path[0])]));
  const meant = missing.filter((key) => nearestName(key, unknown) !== undefined);
  return unknown.length + missing.length - meant.length;
}
