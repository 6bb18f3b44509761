import { type Diagnostic, didYouMean, isMapping, type JsonValue, plainNumbers } from '@unroll/engine';
import { mistake, type Path } from '../../errors/mistake-in-file.ts';
import { shapeMistakes } from '../../errors/shape-mistakes.ts';
import { type EntryKind, entryKinds, entrySchemas, type WrittenEntry } from './tool-schema.ts';
import type { WrittenTools } from './written-tools.ts';

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
  const placed: WrittenTools['locate'] = (path, part) => locate([index, ...path], part);
  const keys = (path: Path) => keysAt(value, path);
  return { diagnostics: shapeMistakes(checked.error.issues, { name, value, locate: placed, keysAt: keys }) };
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

function keysAt(value: JsonValue, path: Path): readonly string[] {
  const kind = entryKinds.find((one) => isMapping(value) && Object.hasOwn(value, one));
  if (kind === undefined) return [];
  const [first] = path;
  const outer: Readonly<Record<string, unknown>> = entrySchemas[kind].shape;
  if (first === undefined) return Object.keys(outer);
  const inner = outer[String(first)] as { readonly shape?: object } | undefined;
  return Object.keys(inner?.shape ?? {});
}
