import {
  type Diagnostic,
  didYouMean,
  expectedKind,
  isMapping,
  type JsonValue,
  plainNumbers,
  pythonRepr,
  valueAt,
} from '@unroll/engine';
import type * as z from 'zod';
import { type EntryKind, entryKinds, entrySchemas, type WrittenEntry } from './tool-schema.ts';
import { mistake, type Path, type WrittenTools } from './written-tools.ts';

export type CheckedEntry = {
  readonly [K in EntryKind]: { readonly kind: K; readonly entry: WrittenEntry<K> };
}[EntryKind];

/** An entry of a tool table by its shape, or everything about its shape that is wrong. */
export function checkEntry(
  value: JsonValue,
  index: number,
  { locate }: WrittenTools,
): CheckedEntry | { readonly diagnostics: readonly Diagnostic[] } {
  if (!isMapping(value)) {
    return { diagnostics: [mistake('FLOW_WRONG_VALUE', `tool ${index + 1} must be a mapping`, locate([index]))] };
  }
  const kind = entryKinds.find((one) => Object.hasOwn(value, one));
  const name = typeof value['name'] === 'string' ? `tool "${value['name']}"` : `tool ${index + 1}`;
  if (kind === undefined) return { diagnostics: [withoutExecutor(name, value, index, locate)] };
  const checked = entrySchemas[kind].safeParse(plainNumbers(value));
  if (checked.success) return { kind, entry: checked.data } as CheckedEntry;
  return { diagnostics: checked.error.issues.flatMap((issue) => shapeMistakes(issue, name, index, value, locate)) };
}

function withoutExecutor(
  name: string,
  value: Readonly<Record<string, JsonValue>>,
  index: number,
  locate: WrittenTools['locate'],
): Diagnostic {
  const strange = Object.keys(value).find((key) => didYouMean(key, entryKinds) !== undefined);
  const help = strange === undefined ? undefined : didYouMean(strange, entryKinds);
  const span = strange === undefined ? locate([index, 'name']) : locate([index, strange], 'key');
  const message = `nothing stands behind ${name}`;
  return mistake('TOOL_EXECUTOR', message, span, help ?? `give it one of the keys ${entryKinds.join(', ')}`);
}

type Issue = z.core.$ZodIssue;

function shapeMistakes(
  issue: Issue,
  name: string,
  index: number,
  value: JsonValue,
  locate: WrittenTools['locate'],
): readonly Diagnostic[] {
  const path = issue.path as Path;
  const at: Path = [index, ...path];
  const where = path.length === 0 ? name : `"${path.join('.')}" of ${name}`;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const help = didYouMean(key, keysAt(value, path));
      return mistake('FLOW_UNKNOWN_KEY', `unknown key "${key}" in ${where}`, locate([...at, key], 'key'), help);
    });
  }
  const written = valueAt(value, path);
  if (written === undefined) {
    const message = `${name} lacks the key "${path.join('.')}"`;
    return [mistake('FLOW_MISSING_KEY', message, locate([index, 'name']) ?? locate([index]))];
  }
  const shown = typeof written === 'string' ? `"${written}"` : pythonRepr(written);
  return [mistake('FLOW_WRONG_VALUE', `${where} must be ${expected(issue)}, not ${shown}`, locate(at))];
}

function keysAt(value: JsonValue, path: Path): readonly string[] {
  const kind = entryKinds.find((one) => isMapping(value) && Object.hasOwn(value, one));
  if (kind === undefined) return [];
  const [first] = path;
  const outer: Readonly<Record<string, unknown>> = entrySchemas[kind].shape;
  if (first === undefined) return Object.keys(outer);
  const inner = outer[String(first)] as { readonly shape?: object } | undefined;
  return Object.keys(inner?.shape ?? {});
}

function expected(issue: Issue): string {
  if (issue.code === 'invalid_type') return expectedKind(issue.expected);
  if (issue.code === 'invalid_value') return issue.values.map(String).join(' or ');
  if (issue.code === 'too_small') {
    return issue.origin === 'number' || issue.origin === 'int' ? `above ${issue.minimum}` : 'not empty';
  }
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code !== 'invalid_format') return `right (${issue.message})`;
  return issue.format === 'regex' ? issue.message : `a ${issue.format.toUpperCase()}`;
}
