import { Float, type Value } from '@unroll/engine';

/** Anything shorter occurs in ordinary words. */
const shortestSecret = 6;
const mark = '[secret]';

/** Keys and tokens by their form: OpenAI's, bearer tokens, JWTs, AWS access keys, signed addresses. */
const forms =
  /\bsk-[\w-]{16,}|\bBearer\s+[\w.~+/-]{16,}=*|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|(?<=[?&](?:api[_-]?key|key|sig|token|code)=)[^&\s"']{8,}/gi;

export type RemoveSecrets = (value: Value) => Value;

/** Replaces what is known to be secret, and what looks like a key, in all texts of a value. */
export function secretRemover(secrets: Iterable<string>): RemoveSecrets {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((one, other) => other.length - one.length);
  const clean = (text: string): string =>
    known.reduce((cleaned, secret) => cleaned.replaceAll(secret, mark), text).replace(forms, mark);
  const remove = (value: Value): Value => {
    if (typeof value === 'string') return clean(value);
    if (typeof value !== 'object' || value === null || value instanceof Float) return value;
    if (Array.isArray(value)) return value.map(remove);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), remove(member)]));
  };
  return remove;
}
