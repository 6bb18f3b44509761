import type { FeedbackState } from './next-feedback.ts';

/** The first request is the query as it is. */
export default function start({ query }: { readonly query: string }): FeedbackState {
  return { finished: false, query, request: query, ids: [], rounds: 0 };
}
