import { type Diagnostic, type OpenedFlow, preventsRun } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/** A flow that cannot run: the mistakes in it, with their places, or why one of its nodes cannot be made ready. */
export class FlowNotReady extends ProjectFailure {
  override readonly name: string = 'FlowNotReady';
  readonly diagnostics: readonly Diagnostic[];
  readonly loadError: OpenedFlow['loadError'];
  constructor(
    message: string,
    options: {
      readonly help?: string | undefined;
      readonly diagnostics: readonly Diagnostic[];
      readonly loadError: OpenedFlow['loadError'];
    },
  ) {
    super(message, { help: options.help });
    this.diagnostics = options.diagnostics;
    this.loadError = options.loadError;
  }

  /** Its text is right, and one of its nodes cannot be made ready. */
  get isOfLoading(): boolean {
    return this.loadError !== undefined && !this.diagnostics.some(preventsRun);
  }
}
