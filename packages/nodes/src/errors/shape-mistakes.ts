import {
  type Diagnostic,
  didYouMean,
  expectedKind,
  expectedOf,
  type JsonValue,
  meantIssues,
  nearestOption,
  pythonRepr,
  valueAt,
} from '@unroll/engine';
import type * as z from 'zod';
import { type Locate, mistake, type Path } from './mistake-in-file.ts';

/** What was looked at by a schema. */
export interface ShapedPart {
  /** `tool "find"`. */
  readonly name: string;
  readonly value: JsonValue;
  readonly locate: Locate;
  /** Keys that the schema knows in a part of it. */
  keysAt(path: Path): readonly string[];
}

/** What a schema finds wrong with a part of a tool table, as it is told to the author. */
export function shapeMistakes(issues: readonly z.core.$ZodIssue[], part: ShapedPart): readonly Diagnostic[] {
  return issues.flatMap(meantIssues).flatMap((issue) => issueMistakes(issue, part));
}

function issueMistakes(issue: z.core.$ZodIssue, part: ShapedPart): readonly Diagnostic[] {
  const { name, value, locate } = part;
  const path = issue.path as Path;
  const where = path.length === 0 ? name : `"${path.join('.')}" of ${name}`;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const help = didYouMean(key, part.keysAt(path));
      return mistake('FLOW_UNKNOWN_KEY', `unknown key "${key}" in ${where}`, locate([...path, key], 'key'), help);
    });
  }
  const written = valueAt(value, path);
  if (written === undefined) {
    const message = `${name} lacks the key "${path.join('.')}"`;
    return [mistake('FLOW_MISSING_KEY', message, locate(path))];
  }
  const shown = typeof written === 'string' ? `"${written}"` : pythonRepr(written);
  return [
    mistake(
      'FLOW_WRONG_VALUE',
      `${where} must be ${expected(issue)}, not ${shown}`,
      locate(path),
      nearestOption(issue, written),
    ),
  ];
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return expectedKind(issue.expected);
  if (issue.code === 'invalid_value') return issue.values.map(String).join(' or ');
  if (issue.code === 'too_small') {
    return issue.origin === 'number' || issue.origin === 'int' ? `above ${issue.minimum}` : 'not empty';
  }
  return expectedOf(issue);
}
