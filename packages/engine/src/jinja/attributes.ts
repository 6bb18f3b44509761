import { methodOf } from './methods.ts';
import { getKey, hasKey, slice } from './operators.ts';
import {
  Callable,
  Captured,
  isDict,
  isInteger,
  Namespace,
  Range,
  reprOf,
  Tuple,
  typeName,
  Undefined,
} from './python-values.ts';
import type { Runtime } from './runtime.ts';
import { fail } from './template-error.ts';

const unsafe = /^__|^(mro|func_\w+|f_\w+|gi_\w+|cr_\w+|ag_\w+|tb_\w+|co_\w+)$/;

/** `object.name`: an attribute, then an item, as Jinja2 looks them up in its sandbox. */
export function attributeOf(object: unknown, name: string, runtime: Runtime, onlyAttribute = false): unknown {
  const attribute = ownAttribute(object, name);
  if (attribute !== undefined) return attribute;
  if (object instanceof Undefined) return undefinedMember(object);
  if (name.startsWith('_') && isUnsafe(object, name)) return runtime.unsafe(name, typeName(object));
  if (!onlyAttribute && isDict(object) && hasKey(object, name)) return getKey(object, name);
  return runtime.undefined(missingText(object, name));
}

function undefinedMember(object: Undefined): never {
  return fail(object.errorClass, object.message);
}

function isUnsafe(object: unknown, name: string): boolean {
  return name.startsWith('_') || unsafe.test(name) || object instanceof Callable;
}

function ownAttribute(object: unknown, name: string): unknown {
  if (object instanceof Namespace) return object.members.get(name);
  if (object instanceof Callable) return object.members[name];
  if (object instanceof Range)
    return ({ start: object.start, stop: object.stop, step: object.step } as Record<string, unknown>)[name];
  if (object instanceof Tuple && (name === 'grouper' || name === 'list'))
    return (object as unknown as Record<string, unknown>)[name];
  return methodOf(object, name);
}

/** `object[key]`: an item, then, for a text key, an attribute. */
export function itemOf(given: unknown, keyGiven: unknown, runtime: Runtime): unknown {
  const object = given instanceof Captured ? given.plain : given;
  const key = keyGiven instanceof Captured ? keyGiven.plain : keyGiven;
  if (object instanceof Undefined) return fail(object.errorClass, object.message);
  if (isDict(object)) {
    if (hasKey(object, key)) return getKey(object, key);
  } else if (isInteger(key) && typeof key !== 'boolean') {
    const item = indexed(object, Number(key));
    if (item !== undefined) return item;
  }
  if (typeof key === 'string') {
    const attribute = ownAttribute(object, key);
    if (attribute !== undefined) return attribute;
    if (key.startsWith('_')) return runtime.unsafe(key, typeName(object));
    return runtime.undefined(missingText(object, key));
  }
  return runtime.undefined(missingItemText(object, key));
}

function indexed(object: unknown, index: number): unknown {
  const items = typeof object === 'string' ? Array.from(object) : object instanceof Range ? [...object] : object;
  if (!Array.isArray(items)) return undefined;
  return items[index < 0 ? items.length + index : index];
}

export function sliceOf(object: unknown, from: unknown, stop: unknown, step: unknown, runtime: Runtime): unknown {
  if (object instanceof Undefined) return fail(object.errorClass, object.message);
  return (
    slice(object, from, stop, step) ??
    runtime.undefined(
      `${objectText(object)} has no element slice(${reprOf(from ?? null)}, ${reprOf(stop ?? null)}, ${reprOf(step ?? null)})`,
    )
  );
}

function objectText(object: unknown): string {
  return object === null ? 'None' : `'${typeName(object)} object'`;
}

function missingText(object: unknown, name: string): string {
  return `${objectText(object)} has no attribute ${reprOf(name)}`;
}

function missingItemText(object: unknown, key: unknown): string {
  return typeof key === 'string' ? missingText(object, key) : `${objectText(object)} has no element ${reprOf(key)}`;
}

/** Reads `a.b.0` of an item, as the `attribute` arguments of filters are read. */
export function attributeGetter(attribute: unknown, runtime: Runtime, other?: unknown): (item: unknown) => unknown {
  const parts =
    typeof attribute === 'string'
      ? attribute.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      : [attribute];
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = itemOf(value, part, runtime);
      if (value instanceof Undefined && other !== undefined) value = other;
    }
    return value;
  };
}
