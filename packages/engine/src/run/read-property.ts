import type { PathStep } from '../flow/reference.ts';
import type { NodeError } from '../node/node-error.ts';
import { unsupportedSection } from '../plan/check-references.ts';
import { didYouMean } from '../source/nearest-name.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { type CopiedFrom, copiedFrom, RemoteValue } from '../value/remote-value.ts';
import { isMapping } from '../value/shapes.ts';

/** A value that was asked for, or why it cannot be had. */
export type Read =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** See RemoteRead. */
      readonly original?: RemoteValue;
    }
  | { readonly ok: false; readonly error: NodeError };

/**
 * Follows a property path: a word is a key of a mapping or an attribute,
 * `['k']` and `[0]` index. Inside a value that lives elsewhere its owner is asked, hence the promise, and for what the copy of one does
 * not have. What is missing is `InvalidReferenceProperty`; indexing what has no items is a `TypeError`.
 */
export function readProperty(
  node: string,
  value: JsonValue,
  path: readonly PathStep[],
  pathText: string,
): Read | Promise<Read> {
  let current = value;
  for (const [index, step] of path.entries()) {
    const seen: unknown = current;
    if (seen instanceof RemoteValue) return readLive(node, seen, path.slice(index), pathText);
    const next = stepInto(current, step);
    if (next === typeError || next === undefined) {
      const original = copiedFrom(value);
      if (original !== undefined) return readLive(node, original, path, pathText);
      const error =
        next === typeError ? notSubscriptable(current, step) : missingProperty(node, pathText, current, step);
      return { ok: false, error };
    }
    current = next;
  }
  return withOriginal(value, path, current);
}

/** A text or number in the copy of an object may be of a class of its own there: a member of an enum. */
function withOriginal(whole: JsonValue, path: readonly PathStep[], value: JsonValue): Read | Promise<Read> {
  const copied = { ok: true, value } as const;
  const original = path.length > 0 && isTextOrNumber(value) ? copiedFrom(whole) : undefined;
  return original === undefined ? copied : original.read(stepsText(path)).then((read) => (read.ok ? read : copied));
}

function isTextOrNumber(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
}

const missing = ['KeyError', 'IndexError', 'AttributeError'];

/** What lives elsewhere is asked for the rest of the path. */
async function readLive(
  node: string,
  value: Pick<CopiedFrom, 'read'>,
  path: readonly PathStep[],
  pathText: string,
): Promise<Read> {
  const read = await value.read(stepsText(path));
  if (read.ok) return read;
  const { type, message } = read.error;
  if (missing.includes(type)) return { ok: false, error: invalidProperty(node, pathText) };
  return { ok: false, error: { code: type, message, retryable: false } };
}

/** `['k']` and `[0]` as they were written. */
function stepsText(path: readonly PathStep[]): string {
  return path.map((step) => (step.kind === 'word' ? step.name : `[${indexText(step)}]`)).join('.');
}

function indexText(step: Exclude<PathStep, { kind: 'word' }>): string {
  return step.kind === 'key' ? `'${step.name}'` : String(step.index);
}

/** A condition may name an input that the flow does not declare; it is looked for when the node is reached. */
export function inputNotFound(name: string, known: readonly string[]): NodeError {
  return {
    code: 'InputNotFound',
    message: `Flow execution failed. The input '${name}' is not found from flow inputs '${known.join(', ')}'. Please check the input name and try again.`,
    retryable: false,
  };
}

export function invalidProperty(node: string, pathText: string): NodeError {
  return {
    code: 'InvalidReferenceProperty',
    message: `Flow execution failed. Invalid property '${pathText}' when accessing the node '${node}'. Please check the property and try again.`,
    retryable: false,
  };
}

/** The same with the nearest of the names that the value has, or some of them. */
function missingProperty(node: string, pathText: string, value: JsonValue, step: PathStep): NodeError {
  const error = invalidProperty(node, pathText);
  if (!isMapping(value) || step.kind === 'index') return error;
  const names = Object.keys(value).filter((name) => name.length <= 60);
  if (names.length === 0) return error;
  const some = names.length > 8 ? [...names.slice(0, 8), '…'] : names;
  const help = didYouMean(step.name, names) ?? `it has ${some.join(', ')}`;
  return { ...error, help };
}

/** Another section than `output` was asked for. */
export function unsupportedReference(node: string, section: string): NodeError {
  return {
    ...unsupportedSection(node, section),
    retryable: false,
  };
}

const typeError = Symbol('type-error');

function stepInto(value: JsonValue, step: PathStep): JsonValue | undefined | typeof typeError {
  if (step.kind === 'word') return isMapping(value) ? ownValue(value, step.name) : undefined;
  if (step.kind === 'key') {
    if (!isMapping(value)) return typeError;
    return ownValue(value, step.name);
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[])[step.index];
  if (typeof value === 'string') return Array.from(value)[step.index];
  return isMapping(value) ? undefined : typeError;
}

function notSubscriptable(value: JsonValue, step: PathStep): NodeError {
  return {
    code: 'TypeError',
    message:
      Array.isArray(value) && step.kind === 'key'
        ? 'list indices must be integers or slices, not str'
        : typeof value === 'string'
          ? "string indices must be integers, not 'str'"
          : `'${pythonTypeName(value)}' object is not subscriptable`,
    retryable: false,
  };
}

function pythonTypeName(value: JsonValue): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Float) return 'float';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int' : 'float';
}
