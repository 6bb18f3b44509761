import { didYouMean, type JsonObject, nearestOption, valueAt } from '@unroll/engine';
import type * as z from 'zod';
import { numberHelp } from './check-eval-shape.ts';
import { metricKeys } from './eval-schema.ts';
import { wrongParameter } from './metric-mistakes.ts';

/** Keys and places of lists below a metric. */
export type MetricPath = readonly (string | number)[];

/** What else is told of a mistake in a metric. */
export interface MetricProblem {
  readonly help?: string | undefined;
  /** Of the entry that is shown; the value where absent. */
  readonly part?: 'key' | 'value';
}

interface ParametersOf {
  readonly evaluator: string;
  /** The metric as messages call it. */
  readonly owner: string;
  readonly written: JsonObject;
  /** All keys the metric may have. */
  readonly known: readonly string[];
}

/** What an evaluator's schema found wrong with its parameters, in words of the file. */
export function parameterProblems(
  issue: z.core.$ZodIssue,
  { evaluator, owner, written, known }: ParametersOf,
): readonly (MetricProblem & { readonly message: string; readonly path: MetricPath })[] {
  const path = issue.path as MetricPath;
  if (issue.code === 'unrecognized_keys') {
    const own = known.filter((name) => !metricKeys.includes(name));
    return issue.keys.map((key) => ({
      message: `${evaluator} has no parameter "${key}" (${owner})`,
      path: [...path, key],
      part: 'key',
      help: didYouMean(key, known) ?? (own.length === 0 ? 'it has none' : `it has ${own.join(', ')}`),
    }));
  }
  const value = valueAt(written, path);
  const name = path.join('.');
  if (value === undefined) return [{ message: `${owner} lacks "${name}", which ${evaluator} needs`, path: [] }];
  const isNumber = issue.code === 'invalid_type' && issue.expected === 'number';
  const message = `"${name}" of ${owner} ${wrongParameter(issue, value)}`;
  return [{ message, path, help: isNumber ? numberHelp(value) : nearestOption(issue, value) }];
}
