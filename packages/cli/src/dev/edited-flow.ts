import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Diagnostic, flowFilesOf } from '@unroll/engine';
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
  readonly open: () => Promise<ServedFlow>;
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

/** A flow that is edited while it is served: what of it is served, and what keeps its newest text from it. */
export class EditedFlow implements AsyncDisposable {
  /** Name of its folder. */
  readonly name: string;
  readonly #options: EditedFlowOptions;
  readonly #folder: string;
  readonly #watch: FileWatch;
  /** What changed files were like when they were last taken up. */
  readonly #taken = new Map<string, string>();
  served: ServedFlow | undefined;
  mistakes: string | undefined;

  /** @throws ProjectFailure where there is no flow */
  constructor(options: EditedFlowOptions) {
    const { name, host, onChange } = options;
    this.#folder = findServedFlow(name, host).folder;
    this.name = basename(this.#folder);
    this.#options = options;
    this.#watch = new FileWatch({
      onChange: (path) => onChange(this, path),
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
      const stats = statSync(path, { throwIfNoEntry: false });
      const stamp = stats === undefined ? 'gone' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
      const isOther = this.#taken.get(path) !== stamp;
      this.#taken.set(path, stamp);
      return isOther;
    });
  }

  /** Checks the text it has now and makes it ready; what is served stays as it is. What changes from now on is told. */
  async load(): Promise<LoadedFlow> {
    const { name, variant, connectionsFile, open, host } = this.#options;
    try {
      await this.#watch.watch(this.#targets());
      const { file } = findServedFlow(name, host);
      const { isRight, diagnostics } = await projectOn(host).check(file, { variant, connectionsFile });
      if (!isRight) return { isRight, diagnostics, message: undefined };
      return { isRight, served: await open() };
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

/** @throws what is a mistake of ours */
function whyNot(error: unknown): Pick<LoadedFlow & { readonly isRight: false }, 'diagnostics' | 'message'> {
  if (isOfSystem(error)) return { diagnostics: [], message: error.message };
  if (!(error instanceof ProjectFailure)) throw error;
  const message = error.help === undefined ? error.message : `${error.message}\n${error.help}`;
  if (!(error instanceof FlowNotReady)) return { diagnostics: [], message };
  return { diagnostics: error.diagnostics, message: error.isOfLoading ? message : undefined };
}

/** A file that goes while it is read, or may not be. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
