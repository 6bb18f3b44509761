import type { State } from './state.ts';

export function start({ query }: { query: string }): State {
  return { finished: false, query, function_results: [] };
}
