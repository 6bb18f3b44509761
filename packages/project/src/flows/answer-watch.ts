import type { NodeRun } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';

/** Watches the answers of models in a run for what is doubtful about them together. */
export interface AnswerWatch {
  nodeEnded(run: NodeRun): void;
  /** Says it, once a run. */
  tell(host: Pick<ProjectHost, 'report'>): void;
}
