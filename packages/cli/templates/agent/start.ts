/** The state before the first turn: nothing searched, nothing found. */
export function start({ query }: { readonly query: string }) {
  return { finished: false, query, function_results: [] };
}
