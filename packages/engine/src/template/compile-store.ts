import type { Expression } from './ast.ts';
import { compileExpression } from './compile-expression.ts';
import { Namespace } from './python-types.ts';
import { isIterable, iterate } from './python-values.ts';
import { cleaned, type Frame, guardOf } from './render-state.ts';
import type { Place } from './statement-place.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

type Store = (frame: Frame, value: unknown) => void;

export function storeName(name: string, place: Place): Store {
  place.assigned.add(name);
  const slot = place.scope.find(name, place.layout);
  if (slot === undefined || slot.depth !== 0) throw new Error(`bug: ${name} is set where it is not declared`);
  const { index } = slot;
  return (frame, value) => {
    frame[index] = value;
  };
}

export function compileStore(target: Expression, place: Place): Store {
  if (target.typename === 'Symbol') return storeName(target.value, place);
  if (target.typename === 'NamespaceTarget') {
    const { name, attribute, start, end } = target;
    const read = compileExpression({ typename: 'Symbol', value: name, start, end }, place);
    return (frame, value) => {
      namespaceOf(read(frame)).attributes.set(attribute, value);
    };
  }
  const stores = (target as Expression & { typename: 'Group' }).children.map((child) => compileStore(child, place));
  return (frame, value) => unpack(frame, value, stores);
}

/** What a `set` does before it computes its value: its targets of the form `name.attribute` have to be of namespaces. */
export function checkNamespaces(target: Expression, place: Place): (frame: Frame) => void {
  if (target.typename === 'NamespaceTarget') {
    const { name: value, start, end } = target;
    const read = compileExpression({ typename: 'Symbol', value, start, end }, place);
    return (frame) => {
      namespaceOf(read(frame));
    };
  }
  if (target.typename !== 'Group') return () => {};
  const checks = target.children.map((child) => checkNamespaces(child, place));
  return (frame) => {
    for (const check of checks) check(frame);
  };
}

function namespaceOf(value: unknown): Namespace {
  if (value instanceof Namespace) return value;
  return raise('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
}

function unpack(frame: Frame, value: unknown, stores: readonly Store[]): void {
  if (!isIterable(value)) raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const items = [...iterate(cleaned(value, guardOf(frame)))];
  if (items.length > stores.length) raise('ValueError', `too many values to unpack (expected ${stores.length})`);
  if (items.length < stores.length)
    raise('ValueError', `not enough values to unpack (expected ${stores.length}, got ${items.length})`);
  for (const [at, store] of stores.entries()) store(frame, items[at]);
}
