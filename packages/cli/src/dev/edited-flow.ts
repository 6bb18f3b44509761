import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Diagnostic, flowFilesOf, type Plan, shownPath } from '@unroll/engine';
import {
  FlowNotReady,
  findServedFlow,
  notify,
  ProjectFailure,
  type ProjectHost,
  projectOn,
  type ServedFlow,
} from '@unroll/project';
import type { FlowMistakes } from '@unroll/server';
import { FileWatch } from './watch-files.ts';

export interface EditedFlowOptions {
  /** As it was typed. */
  readonly name: string;
  readonly variant?: string | undefined;
  readonly connectionsFile?: string | undefined;
  readonly open: (signal: AbortSignal) => Promise<ServedFlow>;
  /** Absolute paths of what is watched beside the flow and what it includes. */
  readonly watched: readonly string[];
  readonly onChange: (flow: EditedFlow, path: string) => void;
  readonly host: ProjectHost;
}

/** How a flow stands in the text it has now. */
export type LoadedFlow =
  | { readonly isRight: true; readonly served: ServedFlow }
  /** `message` where it is no mistake with a place. */
  | { readonly isRight: false; readonly diagnostics: readonly Diagnostic[]; readonly message: string | undefined };

/** Milliseconds that a text has to be ready after it is no longer the newest. */
const patienceMs = 2000;

/** A text that is made ready. */
class Loading implements Disposable {
  readonly signal: AbortSignal;
  readonly #given = new AbortController();
  readonly #patienceMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(stop: AbortSignal, patience: number) {
    this.signal = AbortSignal.any([stop, this.#given.signal]);
    this.#patienceMs = patience;
  }

  /** There is a newer text. */
  change(): void {
    this.#timer ??= setTimeout(() => this.#given.abort(), this.#patienceMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** A flow that is edited while it is served: what of it is served, and what keeps its newest text from it. */
export class EditedFlow implements AsyncDisposable {
  /** Name of its folder. */
  readonly name: string;
  readonly #options: EditedFlowOptions;
  readonly #folder: string;
  readonly #watch: FileWatch;
  /** What changed files were like when they were last taken up. */
  readonly #taken = new Map<string, string>();
  #loading: Loading | undefined;
  #patienceMs = patienceMs;
  served: ServedFlow | undefined;
  mistakes: string | undefined;

  /** @throws ProjectFailure where there is no flow */
  constructor(options: EditedFlowOptions) {
    const { name, host, onChange } = options;
    this.#folder = findServedFlow(name, host).folder;
    this.name = basename(this.#folder);
    this.#options = options;
    this.#watch = new FileWatch({
      onChange: (path) => {
        if (stampOf(path) !== this.#taken.get(path)) this.#loading?.change();
        onChange(this, path);
      },
      onError: ({ message }) =>
        notify(host, { kind: 'warning', message: `changes of ${this.name} may no longer be seen: ${message}` }),
      leftOut: [host.runsFolder],
    });
  }

  /** As whoever watches the page is told it. */
  get told(): readonly FlowMistakes[] {
    const { name: flow, mistakes: text, served } = this;
    return text === undefined ? [] : [{ flow, text, isServed: served !== undefined }];
  }

  /** Of files that are told to have changed those that are others than when this was last asked: some changes are told twice. */
  changedOf(paths: Iterable<string>): readonly string[] {
    return [...paths].filter((path) => {
      const stamp = stampOf(path);
      const isOther = this.#taken.get(path) !== stamp;
      this.#taken.set(path, stamp);
      return isOther;
    });
  }

  /**
   * Checks the text it has now and makes it ready; what is served stays as it is. What changes from now on is told.
   *
   * @param stop aborted, gives it up; a change does so too where it is not ready long after
   */
  async load(stop: AbortSignal): Promise<LoadedFlow> {
    using loading = new Loading(stop, this.#patienceMs);
    this.#loading = loading;
    const loaded = await this.#load(loading.signal);
    this.#loading = undefined;
    // Each time longer, so that code that changes its own folder as it is imported is ready once.
    this.#patienceMs = loading.signal.aborted ? this.#patienceMs * 2 : patienceMs;
    return loaded;
  }

  async #load(signal: AbortSignal): Promise<LoadedFlow> {
    const { name, variant, connectionsFile, open, host } = this.#options;
    try {
      await this.#watch.watch(this.#targets());
      const { file } = findServedFlow(name, host);
      const { isRight, diagnostics, plan } = await projectOn(host).check(file, { variant, connectionsFile });
      if (!isRight) return { isRight, diagnostics, message: undefined };
      const message = `${shownPath(file, host.folder)} has no nodes and no outputs`;
      if (plan !== undefined && isEmpty(plan)) return { isRight: false, diagnostics, message };
      const served = await open(signal);
      if (!isEmpty(served.plan)) return { isRight, served };
      // Emptied between the two readings.
      await served.retire();
      return { isRight: false, diagnostics, message };
    } catch (error) {
      return { isRight: false, ...whyNot(error) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch[Symbol.asyncDispose]();
  }

  /** Its folder, what it includes from elsewhere as far as its text can be read, and what else has a say. */
  #targets(): readonly string[] {
    const { name, host, watched } = this.#options;
    const own = [this.#folder, ...watched];
    try {
      return [...own, ...flowFilesOf(findServedFlow(name, host), host.folder).includes.originals];
    } catch (error) {
      if (error instanceof ProjectFailure || isOfSystem(error)) return own;
      throw error;
    }
  }
}

function isEmpty({ nodes, outputs }: Plan): boolean {
  return nodes.length === 0 && outputs.length === 0;
}

/** @throws what is a mistake of ours */
function whyNot(error: unknown): Pick<LoadedFlow & { readonly isRight: false }, 'diagnostics' | 'message'> {
  if (isOfSystem(error)) return { diagnostics: [], message: error.message };
  if (!(error instanceof ProjectFailure)) throw error;
  const message = error.help === undefined ? error.message : `${error.message}\n${error.help}`;
  if (!(error instanceof FlowNotReady)) return { diagnostics: [], message };
  return { diagnostics: error.diagnostics, message: error.isOfLoading ? message : undefined };
}

/** Tells one state of a file from another, also where it is gone or cannot be looked at. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'gone';
  }
}

/** A file that goes while it is read, or may not be. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
