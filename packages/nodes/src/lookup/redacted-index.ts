import { type JsonValue, type Redactor, redactedError, type SearchIndex, type SearchResult } from '@unroll/engine';

/** An index whose hits and failures hold no secret. */
export function redactedIndex(index: SearchIndex, redactor: Redactor): SearchIndex {
  const redacted = (result: SearchResult): SearchResult => {
    if (!result.ok) return { ...result, error: redactedError(result.error, redactor) };
    const hits = redactor.value(result.hits as unknown as JsonValue);
    return (hits as unknown) === result.hits ? result : { ok: true, hits: hits as unknown as typeof result.hits };
  };
  return {
    search: (query, options) => {
      const result = index.search(query, options);
      return result instanceof Promise ? result.then(redacted) : redacted(result);
    },
  };
}
