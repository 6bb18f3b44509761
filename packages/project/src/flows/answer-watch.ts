import type { NodeRun, Plan } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import { watchCutAnswers } from './cut-answer-watch.ts';
import { watchToolCalls } from './tool-call-watch.ts';

/** Watches the answers of models in a run for what is doubtful about them together. */
export interface AnswerWatch {
  nodeEnded(run: NodeRun): void;
  /** Says it, once a run. */
  tell(host: Pick<ProjectHost, 'report'>): void;
}

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
