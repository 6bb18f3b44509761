import type { ActionDocument, EpisodeState, RecalledCall } from '@unroll/nodes/toolgen';
import { nextState, simulatedAnswer } from '@unroll/nodes/toolgen';

interface Inputs {
  readonly state: EpisodeState;
  readonly thought: string | null;
  readonly document: ActionDocument | null;
  readonly written: string | null;
  readonly recalled: RecalledCall | null;
  readonly simulated: string | null;
}

/** The state after a step; one that has finished is handed on. */
export default async function step(inputs: Inputs): Promise<EpisodeState> {
  const { state, thought, document, written, recalled, simulated } = inputs;
  if (state.finished || document === null) return state;
  const answer =
    recalled?.answer == null
      ? simulatedAnswer(simulated ?? '')
      : ({ type: 'answer', status: 200, body: recalled.answer } as const);
  return nextState(state, { thought: thought ?? '', document, arguments: written, answer });
}
