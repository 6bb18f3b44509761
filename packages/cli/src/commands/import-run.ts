import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  checkFlow,
  createFlowFiles,
  createSqliteRunStore,
  type NodeRun,
  type Plan,
  preventsRun,
  type RunInfo,
  readSourceFile,
  redactedRow,
  redactedRun,
} from '@unroll/engine';
import {
  checkName,
  compose,
  composeConnections,
  makeFolder,
  ProjectFailure,
  runInfoOf,
  runPath,
  shownPath,
  takenName,
} from '@unroll/project';
import { PromptFlowFolder, type PromptFlowRun, PromptFlowRunError, readPromptFlowRun } from '@unroll/promptflow';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ImportRunSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';

/** `flow import-run`: a run folder of Prompt flow becomes a record, to be shown, compared and read as any other. */
export async function importRun(settings: ImportRunSettings, io: Io): Promise<number> {
  const folder = resolve(io.folder, settings.folder);
  const name = settings.name;
  if (name !== undefined) checkName(name, hostOf(settings, io));
  const snapshot = readSnapshot(folder, io);
  const imported = readRun(folder, snapshot?.plan);
  for (const warning of imported.warnings) io.stderr.write(`warning: ${warning}\n`);
  const id = name ?? takenName(imported.id);
  const runs = hostOf(settings, io).runsFolder;
  const path = runPath(runs, id);
  if (existsSync(path)) {
    throw new ProjectFailure(`there is a run ${id} already`, { help: '--name gives the imported one another name.' });
  }
  makeFolder(runs);
  await using store = createSqliteRunStore(path, infoOf(id, imported, snapshot, shownPath(folder, io.folder)));
  composeConnections(io, folder);
  const told = (runs: readonly NodeRun[]): readonly NodeRun[] => runs.map((run) => redactedRun(run, io.redactor));
  for (const row of imported.rows) await store.append(told(imported.nodesOf(row.line)), redactedRow(row, io.redactor));
  await store.append(told(imported.aggregation));
  await store.appendMetrics(io.redactor.value(imported.metrics));
  store.ensureKept();
  const failed = imported.rows.filter(({ status }) => status === 'Failed').length;
  io.stdout.write(
    `${counted(imported.rows.length, 'row')}, ${failed} failed, ${counted(imported.nodes.length, 'node')}\n`,
  );
  io.stdout.write(`record  ${shownPath(path, io.folder)}\nnext    flow show ${id}\n`);
  return exitCode.done;
}

interface Snapshot {
  readonly plan: Plan;
  readonly info: (about: { readonly id: string; readonly startedAt: number; readonly flowPath: string }) => RunInfo;
}

/** The flow as it was run, where the folder has it and it can be read. */
function readSnapshot(folder: string, io: Io): Snapshot | undefined {
  const snapshot = join(folder, 'snapshot');
  const file = join(snapshot, 'flow.dag.yaml');
  if (!existsSync(file) || !isInside(folder, io)) return undefined;
  const files = createFlowFiles(snapshot, io.folder);
  const { plan, diagnostics } = checkFlow(readSourceFile(file, io.folder), { ...compose(io, snapshot), files });
  if (plan === undefined || diagnostics.some(preventsRun)) return undefined;
  return { plan, info: (about) => runInfoOf(plan, files, { ...about, options: { imported: true } }) };
}

/** Whether the flow lies in the folder; it is told where it does not. */
function isInside(folder: string, io: Io): boolean {
  try {
    new PromptFlowFolder(folder).bytes('snapshot/flow.dag.yaml');
    return true;
  } catch (error) {
    if (!(error instanceof PromptFlowRunError)) throw error;
    io.stderr.write(`warning: ${error.message}: nodes are listed by name\n`);
    return false;
  }
}

function readRun(folder: string, plan: Plan | undefined): PromptFlowRun {
  const nodes = plan?.nodes ?? [];
  const kinds = new Map(nodes.map(({ name, definition }) => [name, definition.type]));
  const aggregation = new Set(nodes.filter((node) => node.aggregation).map(({ name }) => name));
  try {
    return readPromptFlowRun(folder, kinds, aggregation);
  } catch (error) {
    if (!(error instanceof PromptFlowRunError)) throw error;
    throw new ProjectFailure(error.message, {
      code: 'NoPromptFlowRun',
      help: 'flow help import-run tells where they lie.',
    });
  }
}

function infoOf(id: string, imported: PromptFlowRun, snapshot: Snapshot | undefined, folder: string): RunInfo {
  const { startedAt } = imported;
  const data = { data: { total: imported.rows.length } };
  if (snapshot !== undefined) {
    return { ...snapshot.info({ id, startedAt, flowPath: `${folder}/snapshot/flow.dag.yaml` }), ...data };
  }
  const nodes = imported.nodes.map((name) => ({ name, kind: 'python' }));
  return { id, flowPath: folder, flowName: id, flowDigest: '', startedAt, nodes, ...data, options: { imported: true } };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
