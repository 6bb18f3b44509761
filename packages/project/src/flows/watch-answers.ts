import type { Plan } from '@unroll/engine';
import type { AnswerWatch } from './answer-watch.ts';
import { watchCutAnswers } from './cut-answer-watch.ts';
import { watchToolCalls } from './tool-call-watch.ts';

/** All that is watched in the answers of models in a run. */
export function watchAnswers(plan: Plan): AnswerWatch {
  const watches = [watchToolCalls(plan), watchCutAnswers(plan)];
  return {
    nodeEnded: (run) => {
      for (const watch of watches) watch.nodeEnded(run);
    },
    tell: (host) => {
      for (const watch of watches) watch.tell(host);
    },
  };
}
