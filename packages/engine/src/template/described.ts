import type { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { PyDict, PyIterator, PyObject, Tuple } from './python-types.ts';
import { raise } from './template-error.ts';

/** Texts of an object of a program, in Python's words. */
export interface ObjectText {
  readonly type: string;
  /** Where its class is, with a point behind it; empty for a class of Python's own. */
  readonly module: string;
  readonly repr: string;
  readonly str: string;
  /** Python's `float` of it. */
  readonly number: number | Float | null;
}

/** A mapping of another class than dict (`Counter`): the same but for its text. */
export class DescribedDict extends PyDict {
  text: ObjectText | undefined;
  /** What it gives for a key that it does not have. */
  missing: unknown;
}

/** A tuple whose items have names. */
export class DescribedTuple extends Tuple {
  text: (ObjectText & { readonly fields: readonly string[] }) | undefined;
}

/** An object of a program, by what a template asks of it. */
export class DescribedObject extends PyObject {
  readonly text: ObjectText;
  readonly items: readonly unknown[] | null;
  /** Whether it gives something in `[…]`, by a rule of its own. */
  readonly givesItems: boolean;

  constructor(
    text: ObjectText,
    attribute: (name: string) => unknown,
    items: readonly unknown[] | null,
    givesItems: boolean,
  ) {
    super(text.type, attribute, () => text.repr);
    this.text = text;
    this.items = items;
    this.givesItems = givesItems;
  }
}

type Description =
  | readonly ['value', JsonValue]
  | readonly ['list', readonly Description[]]
  | readonly ['tuple', readonly Description[], (ObjectText & { readonly fields: readonly string[] }) | null]
  | readonly ['dict', readonly (readonly [Description, Description])[], ObjectText | null, Description | null]
  | readonly ['object', ObjectText, Readonly<Record<string, Attribute>>, readonly Description[] | null, boolean];

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
    case 'list':
      return description[1].map(makeValue);
    case 'tuple': {
      const made = new DescribedTuple();
      for (const item of description[1]) made.push(makeValue(item));
      made.text = description[2] ?? undefined;
      return made;
    }
    case 'dict': {
      const made = new DescribedDict();
      for (const [key, value] of description[1]) made.set(makeValue(key), makeValue(value));
      made.text = description[2] ?? undefined;
      if (description[3] !== null) made.missing = makeValue(description[3]);
      return made;
    }
    default:
      return objectOf(description);
  }
}

function objectOf([, text, attributes, items, givesItems]: Extract<
  Description,
  readonly ['object', ...unknown[]]
>): unknown {
  const held = items === null ? null : items.map(makeValue);
  const attribute = (name: string): unknown => {
    if (name === '__iter__') return held === null ? undefined : new PyIterator(held);
    const found = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (found === undefined) return undefined;
    if (found === null) return cannotBeTold(text, name);
    return found[0] === 'call' ? new PyObject('method', nothing, null, () => makeValue(found[1])) : makeValue(found);
  };
  return new DescribedObject(text, attribute, held, givesItems);
}

const nothing = (): undefined => undefined;

/** Never an empty text in the place of what is there. */
export function cannotBeTold({ type }: Pick<ObjectText, 'type'>, name: string): never {
  return raise(
    'NotSupportedError',
    `'${name}' of a '${type}' object cannot be used in a template: let the node before it give what the template prints`,
  );
}
