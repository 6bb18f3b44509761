import type { Diagnostic } from '@unroll/engine';
import { withMistakes } from '../flows/flow-not-ready.ts';
import { ProjectFailure } from '../host/project-failure.ts';

/** An evaluation that cannot be made: the mistakes in its file, with their places. */
export class EvaluationNotReady extends ProjectFailure {
  override readonly name: string = 'EvaluationNotReady';
  /** The file, as it can be typed. */
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  constructor(file: string, diagnostics: readonly Diagnostic[]) {
    super(withMistakes(`the evaluation ${file} cannot be made`, diagnostics), { code: 'EvaluationNotReady' });
    this.file = file;
    this.diagnostics = diagnostics;
  }
}

/** The run of an evaluation was stopped; it can go on, and be scored then. */
export class RunStopped extends ProjectFailure {
  override readonly name: string = 'RunStopped';
  /** File of its record. */
  readonly record: string;
  /** File of the evaluation, as it can be typed. */
  readonly evaluation: string;
  /** Where outputs were given: of which node. */
  readonly givenTo: string | undefined;
  constructor(record: string, evaluation: string, givenTo?: string) {
    super(`the run of ${evaluation} was stopped`, { code: 'Interrupted', kind: 'stopped' });
    this.record = record;
    this.evaluation = evaluation;
    this.givenTo = givenTo;
  }
}
