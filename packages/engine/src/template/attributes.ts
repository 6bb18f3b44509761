import { Float } from '../value/float.ts';
import { dictMethods, floatMethods, intMethods, listMethods, tupleMethods } from './container-methods.ts';
import { dataAttribute } from './data-attributes.ts';
import { cannotBeTold, DescribedDict, DescribedObject, DescribedScalar } from './described.ts';
import { useLookup, withStrictFields } from './format-fields.ts';
import { itemAt, sliced } from './items.ts';
import { pythonRepr } from './python-text.ts';
import {
  dictGet,
  isDict,
  type Keywords,
  Markup,
  PyFunction,
  PyObject,
  plainOf,
  SliceBounds,
  Tuple,
  tuple,
  Undefined,
} from './python-types.ts';
import { isInt, isText, numeric } from './python-values.ts';
import { spend } from './render-budget.ts';
import { type Method, stringMethods } from './string-methods.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

const objectAttributes = new Set(
  (
    'class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce ' +
    'reduce_ex repr setattr sizeof str subclasshook'
  )
    .split(' ')
    .map((name) => `__${name}__`),
);
const sizedAttributes = new Set(['__len__', '__contains__', '__iter__', '__getitem__']);

/** Methods Python has on a type and we do not: using them is an error, never an undefined value. */
const missingMethods: Readonly<Record<string, readonly string[]>> = {
  str: ['encode', 'maketrans'],
  int: ['to_bytes', 'from_bytes', 'as_integer_ratio'],
  bool: ['to_bytes', 'from_bytes', 'as_integer_ratio'],
  float: ['hex', 'fromhex', 'as_integer_ratio'],
  dict: ['fromkeys'],
  generator: ['send', 'throw', 'close'],
};

type AnyMethod = (self: never, args: readonly unknown[], keywords: Keywords) => unknown;

function methodsOf(value: unknown): Readonly<Record<string, AnyMethod>> | undefined {
  if (typeof value === 'string' || value instanceof Markup) return stringMethods;
  if (Array.isArray(value)) return value instanceof Tuple ? tupleMethods : listMethods;
  if (isInt(value)) return intMethods;
  if (typeof value === 'number' || value instanceof Float) return floatMethods;
  return isDict(value) ? dictMethods : undefined;
}

function selfOf(value: unknown): unknown {
  if (value instanceof Markup) return value.text;
  return typeof value === 'boolean' || value instanceof Float ? numeric(value) : value;
}

/** The method of a value, or undefined. */
export function findMethod(
  value: unknown,
  name: string,
  strict: boolean,
): ((args: readonly unknown[], keywords: Keywords) => unknown) | undefined {
  const plain = plainOf(value);
  const methods = methodsOf(plain);
  if (methods === undefined || !Object.hasOwn(methods, name)) return undefined;
  const known = methods[name] as Method<unknown>;
  const readsFields = strict && name.startsWith('format');
  const method: typeof known = readsFields ? (...given) => withStrictFields(() => known(...given)) : known;
  const self = selfOf(plain);
  if (!(value instanceof Markup)) return (args, keywords) => method(self, args, keywords);
  return (args, keywords) => {
    const result = method(self, args, keywords);
    if (typeof result === 'string') return new Markup(result);
    if (!Array.isArray(result)) return result;
    const parts = result.map((one) => new Markup(String(one)));
    return result instanceof Tuple ? tuple(parts) : parts;
  };
}

/** `value.name` in a template: an attribute, else an item. Never a Python internal. */
export function getAttribute(value: unknown, name: string, strict: boolean): unknown {
  const found = ownAttribute(value, name, strict);
  if (found !== undefined) return found;
  if (value instanceof Undefined) return value.fail();
  if (isDict(value)) {
    const item = dictGet(value, name);
    if (item !== undefined) return item;
  }
  return fallback(value, name) ?? missing(value, name, strict);
}

/** `value[key]` in a template: an item, else (a text key) an attribute. */
export function getItem(value: unknown, key: unknown, strict: boolean): unknown {
  if (value instanceof Undefined) return value.fail();
  const name = plainOf(key);
  if (isDict(value)) {
    if (key instanceof SliceBounds) return raise('TypeError', "unhashable type: 'slice'");
    const isUnhashable = isDict(key) || (Array.isArray(key) && !(key instanceof Tuple));
    const item = isUnhashable ? undefined : dictGet(value, key);
    if (item !== undefined) return item;
  } else if (isInt(name)) {
    const item = itemAt(value, Number(name));
    if (item !== undefined) return item;
  } else if (key instanceof SliceBounds) {
    const slice = sliced(value, key);
    return slice === undefined ? raise('TypeError', `'${typeName(value)}' object is not subscriptable`) : slice;
  }
  if (isText(name)) {
    const found = ownAttribute(value, typeof name === 'string' ? name : name.text, strict);
    if (found !== undefined) return found;
  }
  return fallback(value, key) ?? missing(value, key, strict);
}

/** What an object of a program gives by a rule of its own: only the `missing` of a mapping can be told. */
function fallback(value: unknown, key: unknown): unknown {
  if (value instanceof DescribedDict) return value.missing;
  const isAsked = value instanceof DescribedObject && value.givesItems && !isText(key);
  return isAsked ? cannotBeTold(value.told, `[${pythonRepr(key)}]`) : undefined;
}

function missing(value: unknown, key: unknown, strict: boolean): Undefined {
  const described = describeObject(value);
  if (typeof key === 'string') {
    const quote = described.includes("'") ? '"' : "'";
    return new Undefined(`${quote}${described}${quote} has no attribute ${pythonRepr(key)}`, strict);
  }
  return new Undefined(`${described} has no element ${pythonRepr(key)}`, strict);
}

const modules: Readonly<Record<string, string>> = {
  Namespace: 'jinja2.utils.',
  Cycler: 'jinja2.utils.',
  Joiner: 'jinja2.utils.',
  LoopContext: 'jinja2.runtime.',
  Macro: 'jinja2.runtime.',
  Markup: 'markupsafe.',
  TemplateReference: 'jinja2.runtime.',
};

/** Jinja's words for an object: `dict object`, `None`. */
function describeObject(value: unknown): string {
  if (value === null) return 'None';
  const name = typeName(value);
  const isOfProgram = value instanceof DescribedObject || value instanceof DescribedScalar;
  const module = isOfProgram ? value.told.module : modules[name];
  return `${module ?? ''}${name} object`;
}

/** The attribute itself, an Undefined that fails with SecurityError for an internal one, or undefined when there is none. */
function ownAttribute(value: unknown, name: string, strict: boolean): unknown {
  if (name.startsWith('_')) {
    if (value instanceof PyObject || value instanceof PyFunction) {
      const own = name === '__iter__' ? undefined : value instanceof PyObject ? value.attribute(name) : undefined;
      if (own !== undefined) return own;
    }
    const isInternal =
      objectAttributes.has(name) || (sizedAttributes.has(name) && methodsOf(plainOf(value)) !== undefined);
    return isInternal ? unsafe(value, name, strict) : undefined;
  }
  const own = value instanceof DescribedDict ? value.attribute?.(name) : undefined;
  if (own !== undefined) return own;
  const method = findMethod(value, name, strict);
  if (method !== undefined) return new PyFunction(name, method);
  const type = typeName(value);
  if (missingMethods[type]?.includes(name) === true)
    return raise('NotSupportedError', `the attribute '${name}' of '${type}' cannot be used in a template`);
  return dataAttribute(value, name);
}

function unsafe(value: unknown, name: string, strict: boolean): Undefined {
  const message = `access to attribute '${name}' of '${typeName(value)}' object is unsafe.`;
  return new Undefined(message, strict, 'SecurityError');
}

// Fields of `str.format` are read as templates read them: an attribute may be an item, and what is missing is undefined.
useLookup((value, key, isAttribute, strict) =>
  isAttribute ? getAttribute(value, String(key), strict) : getItem(value, key, strict),
);

/** `value(…)`. @throws PythonError */
export function callValue(value: unknown, args: readonly unknown[], keywords: Keywords): unknown {
  spend();
  if (value instanceof PyFunction) return value.call(args, keywords);
  if (value instanceof Undefined) return value.fail();
  if (value instanceof PyObject && value.call !== null) return value.call(args, keywords);
  return raise('TypeError', `'${typeName(value)}' object is not callable`);
}
