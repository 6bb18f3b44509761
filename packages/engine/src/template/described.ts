import type { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { type PlainScalar, PyDict, PyIterator, PyObject, Tuple } from './python-types.ts';
import { raise } from './template-error.ts';

/** Texts of an object of a program, in Python's words. */
export interface ObjectText {
  readonly type: string;
  /** Where its class is, with a point behind it; empty for a class of Python's own. */
  readonly module: string;
  readonly repr: string;
  readonly str: string;
}

/** What is told of an object of a program as a whole. */
export interface ObjectNature extends ObjectText {
  /** Python's `float` of it. */
  readonly number: number | Float | null;
  /** Tests of Jinja that hold of it by its class. */
  readonly tests: readonly string[];
  /** What Python's `bool` gives, or raises. */
  readonly truth: boolean | { readonly type: string; readonly message: string };
  readonly equality: Equality | null;
}

/**
 * What an object equals: what that number equals; objects of its class that print the same, and where that is sure no others;
 * nothing but objects. null: what a rule of its own says.
 */
export type Equality = readonly ['number', number | bigint | Float] | readonly ['text', boolean] | readonly ['none'];

/** A mapping of another class than dict (`Counter`): the same but for its text. */
export class DescribedDict extends PyDict {
  told: ObjectText | undefined;
  /** What its class has beside the methods of every mapping. */
  attribute: ((name: string) => unknown) | undefined;
  /** What it gives for a key that it does not have. */
  missing: unknown;
}

/** A tuple whose items have names. */
export class DescribedTuple extends Tuple {
  told: (ObjectText & { readonly fields: readonly string[] }) | undefined;
}

/** An object of a program, by what a template asks of it. */
export class DescribedObject extends PyObject {
  readonly told: ObjectNature;
  readonly items: readonly unknown[] | null;
  /** Whether it gives something in `[…]`, by a rule of its own. */
  readonly givesItems: boolean;

  constructor(
    told: ObjectNature,
    attribute: (name: string) => unknown,
    items: readonly unknown[] | null,
    givesItems: boolean,
  ) {
    super(told.type, attribute, () => told.repr);
    this.told = told;
    this.items = items;
    this.givesItems = givesItems;
  }

  override get key(): unknown {
    const { equality, module, type, repr } = this.told;
    if (equality?.[0] === 'number') return equality[1];
    return equality?.[0] === 'text' ? `\u0000object:${module}${type}:${repr}` : this;
  }
}

/** A text or a number of a class of its own: a member of an enum, a number of numpy. */
export class DescribedScalar extends PyObject {
  readonly told: ObjectText;
  override readonly plain: PlainScalar;
  /** Whether Python's `json` writes it, as it does what is a `str`, an `int` or a `float`. */
  readonly isJson: boolean;

  constructor(told: ObjectText, attribute: (name: string) => unknown, plain: PlainScalar, isJson: boolean) {
    super(told.type, attribute, () => told.repr);
    this.told = told;
    this.plain = plain;
    this.isJson = isJson;
  }
}

type Description =
  | readonly ['value', JsonValue]
  | readonly ['scalar', PlainScalar, ObjectText, Attributes, boolean]
  | readonly ['list', readonly Description[]]
  | readonly ['tuple', readonly Description[], (ObjectText & { readonly fields: readonly string[] }) | null]
  | readonly [
      'dict',
      readonly (readonly [Description, Description])[],
      ObjectText | null,
      Description | null,
      Attributes,
    ]
  | readonly ['object', ObjectNature, Attributes, readonly Description[] | null, boolean];

type Attributes = Readonly<Record<string, Attribute>>;

/** null: it is there, and cannot be told. */
type Attribute = Description | readonly ['call', Description] | null;

/** What a template is given in the place of a value of a program, by the description that the program gave of it. */
export function describedValue(description: JsonValue): unknown {
  return makeValue(description as unknown as Description);
}

function makeValue(description: Description): unknown {
  switch (description[0]) {
    case 'value':
      return description[1];
    case 'scalar':
      return scalarOf(description);
    case 'list':
      return description[1].map(makeValue);
    case 'tuple': {
      const made = new DescribedTuple();
      for (const item of description[1]) made.push(makeValue(item));
      made.told = description[2] ?? undefined;
      return made;
    }
    case 'dict': {
      const made = new DescribedDict();
      for (const [key, value] of description[1]) made.set(makeValue(key), makeValue(value));
      made.told = description[2] ?? undefined;
      if (made.told !== undefined) made.attribute = attributesOf(made.told, description[4]);
      if (description[3] !== null) made.missing = makeValue(description[3]);
      return made;
    }
    default:
      return objectOf(description);
  }
}

function scalarOf([, plain, told, attributes, isJson]: Extract<
  Description,
  readonly ['scalar', ...unknown[]]
>): unknown {
  return new DescribedScalar(told, attributesOf(told, attributes), plain, isJson);
}

function objectOf([, told, attributes, items, givesItems]: Extract<
  Description,
  readonly ['object', ...unknown[]]
>): unknown {
  const held = items === null ? null : items.map(makeValue);
  const named = attributesOf(told, attributes);
  const attribute = (name: string): unknown =>
    name === '__iter__' && held !== null ? new PyIterator(held) : named(name);
  return new DescribedObject(told, attribute, held, givesItems);
}

function attributesOf(told: ObjectText, attributes: Attributes): (name: string) => unknown {
  return (name) => {
    const found = ownValue(attributes, name);
    if (found === undefined) return undefined;
    if (found === null) return cannotBeTold(told, name);
    return found[0] === 'call' ? new PyObject('method', nothing, null, () => makeValue(found[1])) : makeValue(found);
  };
}

const nothing = (): undefined => undefined;

/** Never an empty text in the place of what is there. */
export function cannotBeTold({ type }: Pick<ObjectText, 'type'>, name: string): never {
  return raise(
    'NotSupportedError',
    `'${name}' of a '${type}' object cannot be used in a template: let the node before it give what the template prints`,
  );
}
