import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FlowSpec } from '../flow/flow-spec.ts';
import { type CheckFlowOptions, checkFlow } from '../plan/check-flow.ts';
import type { Plan } from '../plan/plan.ts';
import { type Diagnostic, preventsRun } from '../source/diagnostic.ts';
import { refusalOf } from '../source/refusal.ts';
import { checkInstalled } from './check-installed.ts';
import { type FlowPlace, readDefinition } from './flow-files.ts';
import { flowFilesOf } from './included-files.ts';
import { type LoadError, prepareFlow } from './prepare-flow.ts';
import type { PrepareOptions, ReadyOptions } from './prepare-options.ts';
import type { RunnableFlow } from './run-flow.ts';
import { stageFlow } from './stage-flow.ts';

export interface OpenFlowOptions extends Omit<CheckFlowOptions, 'files'>, ReadyOptions {
  /** Folder that shown paths are relative to, absolute; the flow's own folder where absent. */
  readonly shownFrom?: string;
}

/** A flow that can run, or all that keeps it from running. Warnings, and errors that only a node can meet, come with either. */
export interface OpenedFlow {
  readonly flow?: RunnableFlow;
  readonly diagnostics: readonly Diagnostic[];
  readonly loadError?: LoadError;
  /** As written, its variants chosen; absent where the text is no mapping. */
  readonly spec?: FlowSpec;
}

/** Where a flow lies: its definition file and its folder, both absolute; or why there is none. */
export type FlowLocation =
  | { readonly ok: true; readonly file: string; readonly folder: string }
  /** `isShut`: whether there is a flow is not known, since the folder may not be searched. */
  | { readonly ok: false; readonly message: string; readonly isShut?: true };

const definitionFile = 'flow.dag.yaml';

/** Finds the definition of a flow given as a folder or as a file. */
export function locateFlow(path: string): FlowLocation {
  const full = resolve(path);
  if (!existsSync(full)) return { ok: false, message: `there is no file or folder ${path}` };
  const found = statSync(full);
  if (found.isFile()) return { ok: true, file: full, folder: dirname(full) };
  if (!found.isDirectory()) return noFile(path);
  const file = join(full, definitionFile);
  const flex = existsSync(join(full, 'flow.flex.yaml'));
  if (existsSync(file) && flex) {
    return {
      ok: false,
      message: `Multiple files flow.dag.yaml, flow.flex.yaml exist in ${path}. Please specify a file or remove the extra YAML file.`,
    };
  }
  const refused = existsSync(file) || flex ? undefined : searchRefusal(full);
  if (refused !== undefined) return { ok: false, message: `${path} cannot be searched: ${refused}`, isShut: true };
  if (!existsSync(file) && !flex) return { ok: false, message: `${path} holds no ${definitionFile}` };
  const only = flex ? join(full, 'flow.flex.yaml') : file;
  return statSync(only).isFile() ? { ok: true, file: only, folder: full } : noFile(only);
}

/** Why a folder keeps what it holds to itself; undefined where it does not. */
function searchRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

/** A pipe would be waited for, and a device read without end. */
function noFile(path: string): FlowLocation {
  return { ok: false, message: `${path} cannot be read: it is no file` };
}

/** Reads, checks and prepares the flow at `location`. */
export async function openFlow(location: FlowPlace, options: OpenFlowOptions): Promise<OpenedFlow> {
  const shownFrom = options.shownFrom ?? location.folder;
  const { files, includes } = flowFilesOf(location, shownFrom);
  const checked = checkFlow(readDefinition(location, shownFrom), { ...options, files });
  const diagnostics = [...includes.diagnostics, ...checked.diagnostics];
  const read = { diagnostics, ...(checked.spec === undefined ? {} : { spec: checked.spec }) };
  if (checked.plan === undefined) return read;
  const mistakes = diagnostics.filter(preventsRun);
  if (mistakes.length > 0) return { ...read, ...(await firstToFail(checked.plan, mistakes, { ...options, files })) };
  const isLaidOut = includes.files.size + includes.archives.size > 0;
  const copy = isLaidOut ? stageFlow(files, includes) : undefined;
  const prepared = await prepareFlow(checked.plan, { ...options, files: copy?.files ?? files });
  if (prepared.ok) return { ...read, flow: copy === undefined ? prepared.flow : closing(prepared.flow, copy) };
  copy?.[Symbol.dispose]();
  const missing = await checkInstalled(checked, { ...options, files, includes });
  return { ...read, diagnostics: [...diagnostics, ...missing], loadError: prepared.error };
}

/**
 * Where all mistakes only keep nodes from being made ready, the one that is met first: nodes are made ready in their order, each
 * connection before its prompt.
 */
async function firstToFail(
  plan: Plan,
  mistakes: readonly Diagnostic[],
  options: PrepareOptions,
): Promise<Pick<OpenedFlow, 'loadError'>> {
  if (!mistakes.every(({ unreadyNode }) => unreadyNode !== undefined)) return {};
  // Asked for, such a connection throws what the mistakes tell with their places.
  if (mistakes.some(({ code }) => code === 'CONNECTION_UNUSABLE')) return {};
  const prepared = await prepareFlow(plan, options);
  if (!prepared.ok) return { loadError: prepared.error };
  await prepared.flow[Symbol.asyncDispose]();
  return {};
}

/** The flow, which takes its copy away when it is closed. */
function closing(flow: RunnableFlow, copy: Disposable): RunnableFlow {
  return {
    ...flow,
    [Symbol.asyncDispose]: async () => {
      await flow[Symbol.asyncDispose]();
      copy[Symbol.dispose]();
    },
  };
}
