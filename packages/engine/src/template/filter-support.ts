import { getItem } from './attributes.ts';
import { bindArguments } from './bind-arguments.ts';
import { pythonStr } from './python-text.ts';
import { type Keywords, Markup, plainOf, Undefined } from './python-types.ts';
import { isText, truth } from './python-values.ts';

/** A filter of Jinja. `strict`: whether Undefined is strict. */
export type Filter = (value: unknown, args: readonly unknown[], keywords: Keywords, strict: boolean) => unknown;

type Body = (values: readonly unknown[], strict: boolean) => unknown;

/** A filter with named parameters after its value; the first `required` of them must be given. */
export function filter(name: string, parameters: readonly string[], required: number, body: Body): Filter {
  const all = ['value', ...parameters];
  return (value, args, keywords, strict) =>
    body(bindArguments(name, all, required + 1, [value, ...args], keywords), strict);
}

export const plain = (name: string, body: (value: unknown, strict: boolean) => unknown): Filter =>
  filter(name, [], 0, ([value], strict) => body(value, strict));

export function onText(value: unknown, change: (given: string) => string): unknown {
  return value instanceof Markup ? new Markup(change(value.text)) : change(softText(value));
}

/** Jinja's `soft_str`: a text as the text that it is, whatever it prints as; all else as it prints. */
export function softText(value: unknown): string {
  const plain = plainOf(value);
  return pythonStr(isText(plain) ? plain : value);
}

export type Getter = (item: unknown) => unknown;

export function attributeGetter(attribute: unknown, strict: boolean, fallback?: unknown, after?: Getter): Getter {
  const parts = attributeParts(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part, strict);
      if (fallback !== undefined && fallback !== null && value instanceof Undefined) value = fallback;
    }
    return after === undefined ? value : after(value);
  };
}

function attributeParts(attribute: unknown): readonly unknown[] {
  if (attribute === undefined || attribute === null) return [];
  if (!isText(attribute)) return [attribute];
  return pythonStr(attribute)
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function ignoreCase(given: unknown): unknown {
  const value = plainOf(given);
  return isText(value) ? pythonStr(value).toLowerCase() : given;
}

export const foldUnless = (caseSensitive: unknown): Getter | undefined =>
  truth(caseSensitive) ? undefined : ignoreCase;
