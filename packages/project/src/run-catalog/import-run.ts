import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  checkFlow,
  createFlowFiles,
  createSqliteRunLog,
  makeFolder,
  type NodeRun,
  type Plan,
  preventsRun,
  type RunInfo,
  readSourceFile,
  redactedRow,
  redactedRun,
  shownPath,
} from '@unroll/engine';
import {
  flowOfRun,
  PromptFlowFolder,
  type PromptFlowRun,
  PromptFlowRunError,
  readPromptFlowRun,
} from '@unroll/promptflow';
import { compose, composeConnections } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { checkName, takenName } from '../records/record-run.ts';
import { flowDigest, runInfoOf } from '../records/run-info.ts';
import { runPath } from '../records/runs-folder.ts';

/** A run of Prompt flow that is a record now. */
export interface ImportedRun {
  readonly id: string;
  /** As it can be typed. */
  readonly path: string;
  readonly rows: number;
  /** Rows that failed. */
  readonly failed: number;
  /** Nodes of the flow. */
  readonly nodes: number;
}

/**
 * Makes a record of a run folder of Prompt flow, to be shown, compared and read as any other.
 *
 * @param settings.name of the record; that of the run where it is not said
 * @throws ProjectFailure when the folder is none, or the name is taken
 */
export async function importRun(
  folder: string,
  settings: { readonly name?: string | undefined },
  host: ProjectHost,
): Promise<ImportedRun> {
  const from = resolve(host.folder, folder);
  const name = settings.name?.normalize('NFC');
  if (name !== undefined) checkName(name, host);
  const snapshot = readSnapshot(from, host);
  const imported = readRun(from, snapshot?.plan);
  for (const message of imported.warnings) notify(host, { kind: 'warning', message });
  const id = name ?? takenName(imported.id);
  const path = runPath(host.runsFolder, id);
  if (existsSync(path)) {
    throw new ProjectFailure(`there is a run ${id} already`, { help: '--name gives the imported one another name.' });
  }
  makeFolder(host.runsFolder);
  const flowName = await flowOfRun(imported.id, from);
  const info = infoOf(id, imported, snapshot, { folder: shownPath(from, host.folder), flowName });
  await using store = createSqliteRunLog(path, info);
  const { redactor } = host;
  composeConnections(host, from);
  const redacted = (runs: readonly NodeRun[]): readonly NodeRun[] => runs.map((run) => redactedRun(run, redactor));
  for (const row of imported.rows) await store.append(redacted(imported.nodesOf(row.line)), redactedRow(row, redactor));
  await store.append(redacted(imported.aggregation));
  await store.appendMetrics(redactor.value(imported.metrics));
  await store.ensureKept();
  const failed = imported.rows.filter(({ status }) => status === 'Failed').length;
  const counts = { rows: imported.rows.length, failed, nodes: imported.nodes.length };
  return { id, path: shownPath(path, host.folder), ...counts };
}

interface Snapshot {
  readonly plan: Plan;
  readonly info: (about: { readonly id: string; readonly startedAt: number; readonly flowPath: string }) => RunInfo;
}

/** The flow as it was run, where the folder has it and it can be read. */
function readSnapshot(folder: string, host: ProjectHost): Snapshot | undefined {
  const snapshot = join(folder, 'snapshot');
  const file = join(snapshot, 'flow.dag.yaml');
  if (!existsSync(file) || !isInside(folder, host)) return undefined;
  const files = createFlowFiles(snapshot, host.folder);
  const { plan, diagnostics } = checkFlow(readSourceFile(file, host.folder), { ...compose(host, snapshot), files });
  if (plan === undefined || diagnostics.some(preventsRun)) return undefined;
  return { plan, info: (about) => runInfoOf(plan, flowDigest(plan, files), { ...about, options: { imported: true } }) };
}

/** Whether the flow lies in the folder; it is told where it does not. */
function isInside(folder: string, host: ProjectHost): boolean {
  try {
    new PromptFlowFolder(folder).bytes('snapshot/flow.dag.yaml');
    return true;
  } catch (error) {
    if (!(error instanceof PromptFlowRunError)) throw error;
    notify(host, { kind: 'warning', message: `${error.message}: nodes are listed by name` });
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
    const isOne = /^(?:flow|node)_artifacts\//.test(error.message);
    throw new ProjectFailure(error.message, {
      code: 'NoPromptFlowRun',
      help: isOne ? 'Without that file the other rows are read.' : 'flow help import-run tells where they lie.',
    });
  }
}

function infoOf(
  id: string,
  imported: PromptFlowRun,
  snapshot: Snapshot | undefined,
  { folder, flowName: flow }: { readonly folder: string; readonly flowName: string },
): RunInfo {
  const { startedAt } = imported;
  const data = { data: { total: imported.rows.length } };
  if (snapshot !== undefined) {
    const info = snapshot.info({ id, startedAt, flowPath: `${folder}/snapshot/flow.dag.yaml` });
    // A flow without a name is called after its folder, and that is the one of every snapshot.
    const flowName = info.flowName === 'snapshot' ? flow : info.flowName;
    return { ...info, flowName, ...data };
  }
  const nodes = imported.nodes.map((name) => ({ name, kind: 'python' }));
  return {
    id,
    flowPath: folder,
    flowName: flow,
    flowDigest: '',
    startedAt,
    nodes,
    ...data,
    options: { imported: true },
  };
}
