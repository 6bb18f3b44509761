/** The state before the first turn: nothing searched, nothing found. */
export default function formatInput({ query }: { readonly query: string }) {
  return { finished: false, query, function_results: [] };
}
