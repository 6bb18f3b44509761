/** What travels along the rounds of a search with feedback. */
export interface FeedbackState {
  readonly finished: boolean;
  readonly query: string;
  /** What is searched for next. */
  readonly request: string;
  /** Names of the tools that were found last, best first. */
  readonly ids: readonly string[];
  readonly rounds: number;
  readonly status?: 'answered';
  readonly content?: readonly string[];
}

interface Inputs {
  readonly state: FeedbackState;
  readonly found: readonly string[] | null;
  /** `{missing, request}` as JSON. */
  readonly said: string | null;
}

/** Ends where nothing is missing or the model would ask the same again; one that has finished is handed on. */
export default function next({ state, found, said }: Inputs): FeedbackState {
  if (state.finished || found === null) return state;
  const { missing, request } = readFeedback(said ?? '');
  const seen = { ...state, ids: found, rounds: state.rounds + 1 };
  const isContent = missing === null || request === '' || request === state.request;
  return isContent ? { ...seen, finished: true, status: 'answered', content: found } : { ...seen, request };
}

function readFeedback(text: string): { readonly missing: string | null; readonly request: string } {
  try {
    const { missing = null, request = '' } = JSON.parse(text) as { missing?: string | null; request?: string };
    return { missing, request };
  } catch {
    return { missing: null, request: '' };
  }
}
