import { type Diagnostic, formatDiagnostics, type OpenedFlow, preventsRun } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * A flow that cannot run: the mistakes in it, with their places, or why one of its nodes cannot be made ready. The mistakes are in
 * the message too: a test runner, or a log, shows nothing else of an error.
 */
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
    super(withMistakes(message, options.diagnostics), { help: options.help, code: 'FlowNotReady' });
    this.diagnostics = options.diagnostics;
    this.loadError = options.loadError;
  }

  /** Its text is right, and one of its nodes cannot be made ready. */
  get isOfLoading(): boolean {
    return this.loadError !== undefined && !this.diagnostics.some(preventsRun);
  }
}

/** Warnings alone stop nothing: they are no part of why. */
export function withMistakes(message: string, diagnostics: readonly Diagnostic[]): string {
  return diagnostics.some(preventsRun) ? `${message}\n${formatDiagnostics(diagnostics)}` : message;
}
