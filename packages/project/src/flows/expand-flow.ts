import { cpSync, existsSync, lstatSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  checkFlow,
  type Diagnostic,
  expandedFlow,
  flowFilesOf,
  type JsonObject,
  preventsRun,
  readSourceFile,
  stageFlow,
  stringifyFlow,
} from '@unroll/engine';
import { goesAlong, promptFlowFolder } from '@unroll/promptflow';
import { compose } from '../connections/compose.ts';
import { outputNotWritable, requireEmptyFolder } from '../host/output-file.ts';
import { fillFolder } from '../host/output-folder.ts';
import type { System } from '../host/project-host.ts';
import type { FoundFlow } from './find-flow.ts';
import { refuseMissing } from './refuse-missing.ts';

/** A flow laid out as plain nodes, or the mistakes that keep it from being laid out. */
export type ExpandedFlow =
  /** `text` is YAML with a comment for each node, `flow` the same as a value. */
  | { readonly ok: true; readonly text: string; readonly flow: JsonObject }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The text of a flow with its loops and agents laid out as plain nodes; connections need not be there. */
export function expandFlow(found: FoundFlow, connectionsFile: string | undefined, system: System): ExpandedFlow {
  const read = readFlow(found, connectionsFile, system);
  return read.spec === undefined || read.mistakes.length > 0
    ? { ok: false, diagnostics: read.mistakes }
    : { ok: true, text: stringifyFlow(read.spec), flow: expandedFlow(read.spec) };
}

/** What was written for Prompt flow, or why it cannot be. */
export type PromptFlowCopy =
  | {
      readonly ok: true;
      /** What data reaches its inputs by there: `{query: '${data.query}'}`. */
      readonly columnMapping: Readonly<Record<string, string>>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Writes a folder that Prompt flow itself runs: the flow laid out, one Python file for what Prompt flow does not have, and the
 * flow's own files but for those with secrets.
 *
 * @param folder as given; it is made, or is empty
 * @throws ProjectFailure when it is not empty, or cannot be written
 */
export function writePromptFlow(
  found: FoundFlow,
  { folder, connectionsFile }: { readonly folder: string; readonly connectionsFile: string | undefined },
  system: System,
): PromptFlowCopy {
  const { spec, mistakes, files, includes, connections } = readFlow(found, connectionsFile, system);
  if (spec === undefined || mistakes.length > 0) return { ok: false, diagnostics: mistakes };
  const { written, diagnostics } = promptFlowFolder(spec, files, connections);
  if (written === undefined) return { ok: false, diagnostics };
  requireEmptyFolder(folder, system, 'Name a new folder.');
  using copy = stagedFor(folder, () => stageFlow(files, includes));
  fillFolder(folder, system, (target) => {
    copyFiles(copy.files.folder, target, realpathSync(found.folder));
    for (const [path, text] of written.texts) writeFileSync(join(target, path), text);
    const there = { file: join(target, 'flow.dag.yaml'), folder: target };
    refuseMissing(there, { shownFrom: target, help: 'Nothing was written.' }, system);
  });
  const columnMapping = Object.fromEntries(spec.inputs.map(({ name }) => [name, `\${data.${name}}`]));
  return { ok: true, columnMapping, notes: written.notes };
}

/** The copy that is laid out in the folder: a disk that is full of it fails the folder; no temporary folder is a failure of its own. */
function stagedFor<Staged>(folder: string, stage: () => Staged): Staged {
  try {
    return stage();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'mkdtemp') throw error;
    throw outputNotWritable(folder, error);
  }
}

/** Of links those go along that lead to a file of the flow: others may lead anywhere, or round in a circle. */
function copyFiles(from: string, target: string, flowFolder: string): void {
  const leadsOn = (path: string): boolean =>
    existsSync(path) &&
    statSync(path).isFile() &&
    realpathSync(path).startsWith(`${flowFolder}${sep}`) &&
    goesAlong(realpathSync(path));
  for (const name of readdirSync(from).filter(goesAlong)) {
    const filter = (path: string): boolean => goesAlong(path) && (!lstatSync(path).isSymbolicLink() || leadsOn(path));
    cpSync(join(from, name), join(target, name), { recursive: true, dereference: true, filter });
  }
}

function readFlow(found: FoundFlow, connectionsFile: string | undefined, system: System) {
  const composed = compose(system, found.folder, connectionsFile);
  const { files, includes } = flowFilesOf(found, system.folder);
  const { spec, diagnostics } = checkFlow(readSourceFile(found.file, system.folder), { ...composed, files });
  const mistakes = [...includes.diagnostics, ...diagnostics].filter(
    (one) => preventsRun(one) && !one.code.startsWith('CONNECTION_'),
  );
  return { spec, mistakes, files, includes, connections: composed.connections };
}
