// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { posix } from 'node:path';
import {
  type Diagnostic,
  expectedOf,
  isMapping,
  type JsonObject,
  type JsonValue,
  kindOf,
  mappingOf,
  nearestName,
  valueAt,
  type YamlDocument,
} from '@unroll/engine';
import type * as z from 'zod';
import type { Evaluator } from '../evaluators/evaluator.ts';
import { quotedNames } from '../targets/target.ts';
import { metricName, problem } from './eval-problem.ts';
import { metricKeys } from './eval-schema.ts';
import type { Source } from './eval-spec.ts';
import type { WrongSource } from './read-source.ts';

export function writtenKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  return isMapping(value) ? 'mapping' : typeof value === 'string' ? 'text' : 'other';
}

/** What is wrong with what is written where a reference may stand; undefined where it was read. */
export function sourceMistake(
  key: string,
  owner: string,
  written: JsonValue,
  source: Source | WrongSource,
): { readonly message: string; readonly help: string } | undefined {
  const bare = bareReference(written);
  if (bare !== undefined) {
    const help = `a reference is written "\${${bare}}", with the dollar and in quotes`;
    return { message: `"${key}" of ${owner} is a mapping of one key: {${bare}: null}`, help };
  }
  if (!('wrong' in source)) return undefined;
  if (source.meant !== undefined) {
    const help = `a reference is the whole text, with the dollar and closed: "\${${source.meant}}"`;
    return { message: `"${key}" of ${owner} is a text that is compared as it stands: "${source.wrong}"`, help };
  }
  const quoted = quotedNames(source.wrong);
  const help =
    quoted === undefined
      ? 'for instance ${row.expected.ids}, ${outputs.answer}, ${agent_1.content}'
      : `a name with a blank stands in quotes: "\${${quoted}}"`;
  return { message: `"${key}" of ${owner} refers to what cannot be read: \${${source.wrong}}`, help };
}

/** Of parameters that are given once: in them a reference would be taken for the text that it is. */
export function sameForEachRow(
  written: readonly (readonly [string, JsonValue])[],
  owner: string,
  { name, judgedBy, expected }: Pick<Evaluator, 'name' | 'judgedBy' | 'expected'>,
) {
  // The outputs that parameters of a judge name are those of the judge.
  const reference = judgedBy === undefined ? toRowOrOutputs : toRow;
  const isReference = ([key, value]: readonly [string, JsonValue]): boolean =>
    refersTo(value, isPattern(key) && !isFile(name) ? toAnything : reference);
  const [key] = written.find(isReference) ?? [];
  if (key === undefined) return undefined;
  const own =
    expected === 'none'
      ? 'what differs from row to row stands in `expected`, which contains and equals take'
      : 'what differs from row to row stands in `expected`';
  const help = isFile(name) ? 'the function gets it by a parameter called row, inputs or outputs' : own;
  return { key, message: `"${key}" of ${owner} is the same for every row: no reference can stand there`, help };
}

const toRow = /^\$\{(?:row|data|inputs)[.[].*\}$/s;
const toRowOrOutputs = /^\$\{(?:row|data|inputs|outputs)[.[].*\}$/s;
/** No text has a letter after its end: as a pattern such a text would match nothing, whatever it names. */
const toAnything = /^\$\{.*\}$/s;

function isPattern(key: string): boolean {
  return key === 'pattern' || key === 'id_pattern';
}

function refersTo(value: JsonValue, reference: RegExp): boolean {
  if (typeof value === 'string') return reference.test(value);
  return (Array.isArray(value) || isMapping(value)) && Object.values(value).some((one) => refersTo(one, reference));
}

/** `{row.expected.ids}`, which YAML reads as a mapping. */
function bareReference(value: JsonValue): string | undefined {
  const [[name, member] = [], ...others] = isMapping(value) ? Object.entries(value) : [];
  return name !== undefined && member === null && others.length === 0 && name.includes('.') ? name : undefined;
}

/** What to do of an `on` that cannot be read. */
export function targetHelp(on: string): string {
  const quoted = quotedNames(on);
  return quoted === undefined ? targetForms : `a name with a blank stands in quotes: "${quoted}"`;
}

export const targetForms = 'for instance outputs.answer, agent_1.function_call.name, hits[-1].id, function[*]';

export function isFile(name: string): boolean {
  return /\.(ts|js|mjs|py)$/.test(name);
}

/** What an evaluation loads lies below its file, as the files of a flow do. */
export function leadsOut(path: string): boolean {
  return /^\/|^[A-Za-z]:/.test(path) || posix.normalize(path).startsWith('../');
}

export function otherEvaluators(name: string, known: readonly string[]): string {
  if (isFile(name) && leadsOut(name)) return 'move it into that folder, or import it from a file there';
  if (isFile(name)) return 'paths start at the folder of this file';
  if (/^[./]|\.\w+$/.test(name)) return 'a file of yours that measures ends in .py, .ts, .js or .mjs';
  return `there are ${known.join(', ')}`;
}

export function unknownEvaluator(name: string): string {
  if (!isFile(name)) return `unknown evaluator "${name}"`;
  return leadsOut(name)
    ? `the evaluator ${name} lies outside the folder of this file`
    : `there is no evaluator file ${name}`;
}

/** Our own rules say in their message what must stand there. */
export function wrongParameter(issue: z.core.$ZodIssue, value: JsonValue): string {
  if (issue.code === 'custom') return `must be ${issue.message}`;
  return `must be ${expectedOf(issue)}, not ${kindOf(value)}`;
}

/** Keys of a metric that this evaluator scores. */
export function keysFor({ parameters, reads }: Evaluator): readonly string[] {
  return [...metricKeys, ...Object.keys(parameters.shape), ...reads.map(({ name }) => name)];
}

/** Then the key that is unknown is told, and what it leaves out is not. */
export function isMisspelt(key: string, written: JsonObject, evaluator: Evaluator): boolean {
  const known = keysFor(evaluator);
  const strange = Object.keys(written).filter((name) => !known.includes(name));
  return nearestName(key, strange) !== undefined;
}

/** Of a metric whose evaluator, and with it its keys, is not known: those that are nearly keys of every metric. One that must be there is told where it lacks. */
export function misspeltKeys(document: YamlDocument, place: number): readonly Diagnostic[] {
  const written = mappingOf(valueAt(document.value ?? null, ['metrics', place]));
  return Object.keys(written).flatMap((key) => {
    const meant = metricKeys.includes(key) ? undefined : nearestName(key, metricKeys);
    if (meant === undefined || meant === 'name' || meant === 'evaluator') return [];
    const shown = { path: ['metrics', place, key], part: 'key' as const, help: `did you mean "${meant}"?` };
    return [problem(document, 'EVAL_UNKNOWN_KEY', `unknown key "${key}" in ${metricName(written, place)}`, shown)];
  });
}
