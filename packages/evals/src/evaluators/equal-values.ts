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
  if (isNumber(one) && isNumber(other)) return equalNumbers(one, other);
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

/** Python's whole numbers have all their digits: as doubles 9007199254740993 and 9007199254740992 are one. */
function equalNumbers(one: number | bigint | Float, other: number | bigint | Float): boolean {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one === other;
  const [left, right] = [Number(one), Number(other)];
  if (typeof one !== 'bigint' && typeof other !== 'bigint') return left === right || Object.is(left, right);
  return left === right && Number.isFinite(left) && BigInt(left) === (typeof one === 'bigint' ? one : other);
}

function folded(text: string, { ignoreCase, ignoreForm }: EqualityOptions): string {
  const formed = ignoreForm ? text.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim() : text;
  return ignoreCase ? formed.toLowerCase() : formed;
}

function isNumber(given: JsonValue): given is number {
  const value: unknown = given;
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
}

function isContainer(value: JsonValue): value is readonly JsonValue[] | { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !(value instanceof Float);
}
