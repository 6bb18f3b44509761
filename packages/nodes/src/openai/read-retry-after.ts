interface AnswerHeaders {
  get(name: string): string | null;
}

/**
 * Milliseconds to wait, as a refusal tells them: by `retry-after-ms`, by `retry-after` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3), else by what is used up.
 *
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(headers: AnswerHeaders, now: number): number | undefined {
  const exact = headers.get('retry-after-ms')?.trim() ?? '';
  if (exact !== '' && Number.isFinite(Number(exact)) && Number(exact) >= 0) return Number(exact);
  const text = headers.get('retry-after');
  if (text === null) return untilReset((name) => headers.get(name));
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Milliseconds until there are requests and tokens left again, as every answer of OpenAI and Azure tells it
 * (`x-ratelimit-remaining-requests`, `x-ratelimit-reset-requests`, likewise `-tokens`); undefined while some are left.
 */
export function untilReset(header: (name: string) => unknown): number | undefined {
  const waits = ['requests', 'tokens'].flatMap((unit) =>
    header(`x-ratelimit-remaining-${unit}`) === '0' ? durationMs(header(`x-ratelimit-reset-${unit}`)) : [],
  );
  return waits.length === 0 ? undefined : Math.min(longestMs, Math.max(...waits));
}

const longestMs = 60_000;
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `20ms`, or a number of seconds; nothing where it is neither. */
function durationMs(text: unknown): readonly number[] {
  if (typeof text !== 'string') return [];
  if (/^\d+(\.\d+)?$/.test(text)) return [Number(text) * 1000];
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return [];
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return [parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (milliseconds[unit] ?? 0), 0)];
}
