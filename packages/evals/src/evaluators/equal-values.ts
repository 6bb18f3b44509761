import { Float, type JsonValue } from '@unroll/engine';

export interface EqualityOptions {
  /** Upper and lower case of texts are one. */
  readonly ignoreCase: boolean;
  /** Forms of letters (NFKC) and white space of texts make no difference. */
  readonly ignoreForm: boolean;
}

/** Whether two values say the same: 1 and 1.0 do, 1 and true or "1" do not; the order of keys does not matter. */
export function equalValues(one: JsonValue, other: JsonValue, options: EqualityOptions): boolean {
  if (typeof one === 'string' && typeof other === 'string') return folded(one, options) === folded(other, options);
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other) || Object.is(Number(one), Number(other));
  if (one === other) return true;
  if (!isContainer(one) || !isContainer(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const left = one as Readonly<Record<string, JsonValue>>;
  const right = other as Readonly<Record<string, JsonValue>>;
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && equalValues(left[key] as JsonValue, right[key] as JsonValue, options),
    )
  );
}

function folded(text: string, { ignoreCase, ignoreForm }: EqualityOptions): string {
  const formed = ignoreForm ? text.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim() : text;
  return ignoreCase ? formed.toLowerCase() : formed;
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
}

function isContainer(value: JsonValue): value is readonly JsonValue[] | { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !(value instanceof Float);
}
