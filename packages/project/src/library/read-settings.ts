import { didYouMean, expectedSentence, meantIssues } from '@unroll/engine';
import * as z from 'zod';
import { ProjectFailure } from '../host/project-failure.ts';

type Path = readonly PropertyKey[];

/** @throws ProjectFailure with everything that is wrong in settings, and the keys that were probably meant */
export function readSettings<Schema extends z.ZodType>(schema: Schema, given: z.input<Schema>): z.output<Schema> {
  const read = schema.safeParse(given, { error: expectedSentence });
  if (read.success) return read.data;
  const problems = read.error.issues.flatMap((issue) => problemsOf(schema, issue));
  const messages = problems.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new ProjectFailure(`settings cannot be read: ${messages.join('; ')}`, {
    help: helpOf(problems),
    code: 'SettingsNotValid',
  });
}

interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Of an unknown key: it, and those that may stand where it stands. */
  readonly unknown?: { readonly key: string; readonly known: readonly string[] };
}

function problemsOf(schema: z.ZodType, issue: z.core.$ZodIssue): readonly Problem[] {
  const ofAllForms = unknownKeys(issue);
  if (ofAllForms.length > 0) return unknownProblems(schema, issue.path, ofAllForms);
  return meantIssues(issue).flatMap((one) => {
    const keys = unknownKeys(one);
    return keys.length === 0 ? [{ path: one.path, message: one.message }] : unknownProblems(schema, one.path, keys);
  });
}

/** A key that another form knows stands beside keys that this form does not have. */
function unknownProblems(schema: z.ZodType, path: Path, keys: readonly string[]): readonly Problem[] {
  const known = [...new Set(objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape)))];
  return keys.map((key) =>
    known.includes(key)
      ? { path, message: `"${key}" cannot stand beside its other keys` }
      : { path, message: `unknown key "${key}"`, unknown: { key, known } },
  );
}

/** Of several forms, the keys that none of them knows. */
function unknownKeys(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys;
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [];
  const [first = [], ...others] = issue.errors.map((issues) => issues.flatMap(unknownKeys));
  return first.filter((key) => others.every((keys) => keys.includes(key)));
}

function helpOf(problems: readonly Problem[]): string | undefined {
  const unknown = problems.flatMap((one) => one.unknown ?? []);
  const meant = unknown.flatMap(({ key, known }) => {
    const text = didYouMean(key, known);
    return text === undefined ? [] : [unknown.length === 1 ? text : `"${key}": ${text}`];
  });
  if (meant.length > 0) return meant.join('\n');
  const [first] = unknown;
  return first === undefined ? undefined : `it can have ${first.known.join(', ')}`;
}

/** The objects that a schema allows at a place; several where there is a choice. */
function objectsAt(schema: unknown, path: Path): readonly z.ZodObject[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly)
    return objectsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsAt(option, path));
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject)
    return first === undefined ? [schema] : objectsAt(schema.shape[String(first)], rest);
  return schema instanceof z.ZodArray && first !== undefined ? objectsAt(schema.element, rest) : [];
}
