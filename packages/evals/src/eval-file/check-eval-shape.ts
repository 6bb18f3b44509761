import {
  type Diagnostic,
  expectedOf,
  type JsonValue,
  kindOf,
  meantIssues,
  nearestName,
  nearestOption,
  plainScalars,
  type SourceFile,
  valueAt,
  type YamlDocument,
} from '@unroll/engine';
import type * as z from 'zod';
import { meantKey, metricName, percentHelp, problem } from './eval-problem.ts';
import { evalSchema, gateSchema, sliceGateSchema, topKeys } from './eval-schema.ts';

type Path = readonly (string | number)[];

/** Everything about an eval.yaml that is wrong in shape, but for the parameters of evaluators. */
export function checkEvalShape(document: YamlDocument, file: SourceFile): readonly Diagnostic[] {
  const root = document.value ?? null;
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    const message = `an evaluation is a mapping of keys such as flow, data, metrics; this is ${kindOf(root)}`;
    const wrong = problem(document, 'EVAL_WRONG_VALUE', message, { path: [] });
    return [{ ...wrong, span: wrong.span ?? { file, start: 0, end: 0 } }];
  }
  const { error } = evalSchema.safeParse(plainScalars(root));
  const issues = error?.issues ?? [];
  const found = issues.flatMap(meantIssues).flatMap((issue) => shapeProblems(document, issue));
  // A key that is misspelt is not told as unknown as well.
  const lacking = found.filter(({ code }) => code === 'EVAL_MISSING_KEY').map(({ span }) => span);
  const isTold = ({ span }: Diagnostic): boolean =>
    lacking.some((other) => other?.start === span?.start && other?.end === span?.end);
  return found.filter((one) => one.code !== 'EVAL_UNKNOWN_KEY' || !isTold(one));
}

function shapeProblems(document: YamlDocument, issue: z.core.$ZodIssue): readonly Diagnostic[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(document, path, key));
  const value = valueAt(document.value ?? null, path);
  if (value === undefined) return [missingKey(document, path)];
  const message = `${placeName(document, path)} must be ${expectedOf(issue)}, not ${kindOf(value)}`;
  const help = expectedOf(issue) === 'a number' ? numberHelp(value) : nearestOption(issue, value);
  return [problem(document, path.includes('gate') ? 'EVAL_GATE' : 'EVAL_WRONG_VALUE', message, { path, help })];
}

/** `"0.9"` and `90%` are texts. */
export function numberHelp(value: JsonValue): string | undefined {
  const [, digits, percent] = typeof value === 'string' ? (/^\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*$/u.exec(value) ?? []) : [];
  if (digits === undefined) return undefined;
  return percent === '%' ? percentHelp(Number(digits)) : `write it without quotes: ${digits}`;
}

function unknownKey(document: YamlDocument, path: Path, key: string): Diagnostic {
  const isGate = path.includes('gate');
  const known = isGate ? Object.keys((path.at(-1) === 'gate' ? gateSchema : sliceGateSchema).shape) : topKeys;
  const place = placeName(document, path);
  return problem(
    document,
    isGate ? 'EVAL_GATE' : 'EVAL_UNKNOWN_KEY',
    place === '' ? `unknown key "${key}"` : `unknown key "${key}" in ${place}`,
    {
      path: [...path, key],
      part: 'key',
      help: didYouMeanKey(key, known) ?? `it can have ${known.filter((name) => name !== '$schema').join(', ')}`,
    },
  );
}

function didYouMeanKey(key: string, known: readonly string[]): string | undefined {
  const meant = meantKey(key, known);
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
}

/** At the nearest unknown key, where one is written that may be meant. */
function missingKey(document: YamlDocument, path: Path): Diagnostic {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const place = placeName(document, parent);
  const written = valueAt(document.value ?? null, parent);
  const strange = Object.keys((written ?? {}) as object).filter((name) => !topKeys.includes(name));
  const meant = nearestName(key, strange);
  return problem(document, 'EVAL_MISSING_KEY', `${place === '' ? 'the evaluation' : place} lacks the key "${key}"`, {
    path: meant === undefined ? parent : [...parent, meant],
    part: meant === undefined ? 'value' : 'key',
    help: meant === undefined ? undefined : `did you mean "${key}" by "${meant}"?`,
  });
}

/** `metric "grounded"`, `"gate.min" of metric "grounded"`; empty for the file itself. */
function placeName(document: YamlDocument, path: Path): string {
  const [section, place, ...rest] = path;
  if (section === undefined) return '';
  if (section !== 'metrics' || typeof place !== 'number') return path.join('.');
  const owner = metricName(valueAt(document.value as JsonValue, path.slice(0, 2)), place);
  return rest.length === 0 ? owner : `"${rest.join('.')}" of ${owner}`;
}
