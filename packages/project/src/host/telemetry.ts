import { PrepareError, type Redactor } from '@unroll/engine';
import type { Tracing } from '@unroll/nodes/telemetry';
import { madeWith } from './made-with.ts';
import type { OtlpTarget } from './otlp-target.ts';
import { ProjectFailure } from './project-failure.ts';

/** What it needs of whoever opens it. */
export interface TelemetryUser {
  readonly redactor: Redactor;
  /** Told what is doubtful, each once. */
  readonly warn: (message: string) => void;
}

/** Spans and metrics of a project: opened with the first flow that runs, closed with the last, whatever runs between. */
export class Telemetry {
  readonly #target: OtlpTarget;
  readonly #told = new Set<string>();
  #open: { readonly tracing: Promise<Tracing | undefined>; users: number } | undefined;

  constructor(target: OtlpTarget) {
    this.#target = target;
  }

  /**
   * To be closed by each who opened it.
   *
   * @returns undefined where nothing can be sent, and a variable had asked for it: that is told
   * @throws ProjectFailure where nothing can be sent, and an option had asked for it
   */
  async open(user: TelemetryUser): Promise<Tracing | undefined> {
    this.#open ??= { tracing: this.#load(user), users: 0 };
    const open = this.#open;
    open.users += 1;
    const tracing = await open.tracing.catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    if (tracing === undefined) return undefined;
    return { ...tracing, [Symbol.asyncDispose]: () => this.#leave(open, tracing) };
  }

  async #leave(open: { users: number }, tracing: Tracing): Promise<void> {
    open.users -= 1;
    if (open.users > 0) return;
    if (this.#open === open) this.#open = undefined;
    await tracing[Symbol.asyncDispose]();
  }

  async #load({ redactor, warn }: TelemetryUser): Promise<Tracing | undefined> {
    const { doubts, isAsked, ...target } = this.#target;
    const tell = (kind: string, message: string): void => {
      if (this.#told.has(kind)) return;
      this.#told.add(kind);
      warn(message);
    };
    for (const doubt of doubts) tell(doubt, doubt);
    if (target.tracesUrl === undefined && target.metricsUrl === undefined) return undefined;
    try {
      const { openTracing } = await import('@unroll/nodes/telemetry').catch(throwLeftOut);
      const { version } = madeWith();
      const onFailure = (message: string): void => tell('failure', `${message}; what comes after is not told again`);
      return await openTracing({ ...target, serviceVersion: version, redactor, onFailure });
    } catch (error) {
      if (!(error instanceof PrepareError)) throw error;
      if (isAsked) throw new ProjectFailure(error.message, { code: error.error.code });
      tell('missing', `no spans are sent: ${error.message}`);
      return undefined;
    }
  }
}

/** A program that was bundled into one file need not have it in it. */
function throwLeftOut(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const message = 'the module @unroll/nodes/telemetry was left out when this program was bundled';
  throw new PrepareError({ code: 'PackageMissing', message, retryable: false });
}
