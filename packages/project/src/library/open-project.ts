import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { exportNodes, exportRows, type JsonObject, openData, Redactor, writeRows } from '@unroll/engine';
import type { DiffReport } from '../diff/diff-report.ts';
import { checkFoundFlow } from '../flows/check-flow.ts';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import { readInputs } from '../flows/read-inputs.ts';
import type { RunPlan } from '../forecast/plan-dataset.ts';
import type { EngineCatalog } from '../host/engine-runs.ts';
import { otlpTarget } from '../host/otlp-target.ts';
import { ownEvent } from '../host/own-event.ts';
import type { Reporter } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';
import { Telemetry } from '../host/telemetry.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { runIdOf } from '../records/record-place.ts';
import { runsFolder } from '../records/runs-folder.ts';
import { connectionsOn } from './connection-operations.ts';
import { startBaseline, startEvaluation, startOracle } from './evaluation-operations.ts';
import { indexesOn } from './index-operations.ts';
import { failLater } from './operation.ts';
import type { ExportSettings, Project } from './project.ts';
import { readSettings } from './read-settings.ts';
import { datasetSettings, exportSettings, whySettings } from './record-settings.ts';
import { startDataset, startNode, startParity, startResumed, startRow } from './run-operations.ts';
import { runsOn } from './runs-operations.ts';
import {
  bulkSettingsOf,
  chatSettings,
  checkSettings,
  type DatasetRunSettings,
  type DiffSettings,
  datasetRunSettings,
  diffSettings,
  projectSettings,
} from './settings.ts';
import { type FlowShape, typedRow } from './typed-flow.ts';

export interface ProjectSettings {
  /** Where runs are kept; absent: FLOW_RUNS, else `.flow/runs` in the folder. */
  readonly runsFolder?: string;
  /** Runs that are kept elsewhere are found too, where there is none of their name in the folder. */
  readonly engine?: EngineCatalog;
  /** In place of the process's variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Address of an OTLP receiver that spans go to; absent: where OpenTelemetry's variables say, else nowhere. */
  readonly otlp?: string;
  /** Hears everything that happens, nodes of runs over data too, at once and whatever the operation. */
  readonly reporter?: Reporter;
}

/**
 * Opens the project in a folder. Nothing is read or written before it is asked for.
 *
 * @throws ProjectFailure where a setting is wrong or unknown
 */
export function openProject(folder: string, settings: ProjectSettings = {}): Project {
  requireName(folder, 'the folder of a project');
  return projectOn(nodeHost(resolve(folder), readSettings(projectSettings, settings) as ProjectSettings));
}

function nodeHost(folder: string, settings: ProjectSettings): ProjectHost {
  const { environment = process.env, reporter } = settings;
  const redactor = new Redactor();
  redactor.learnEnvironment(environment);
  const target = otlpTarget(environment, settings.otlp);
  const { engine } = settings;
  return {
    folder,
    environment,
    redactor,
    runsFolder: runsFolder(settings.runsFolder, { folder, environment }),
    now: Date.now,
    steadyNow: () => performance.now(),
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    stdin: () => process.stdin,
    report: reporter === undefined ? () => undefined : heardBy(reporter),
    engine: engine && { isFirst: false, catalog: async () => engine },
    telemetry: target && new Telemetry(target),
  };
}

/** Nobody waits for what a reporter gives; where that is a promise that fails, the operation ends with it. */
function heardBy(reporter: Reporter): Reporter {
  return (event) => {
    const fail = failLater();
    const given: unknown = reporter(ownEvent(event));
    if (given instanceof Promise && fail !== undefined) given.catch(fail);
  };
}

/** The project that stands on a host. */
export function projectOn(host: ProjectHost): Project {
  return {
    folder: host.folder,
    flows: { find: (flow) => findFlow(flow, host), list: () => listFlows(host) },
    check: async (flow, settings = {}) => {
      const asked = readSettings(checkSettings, settings);
      return checkFoundFlow(findFlow(flow, host), asked, host);
    },
    runRow: (flow, inputs, settings = {}) => startRow(flow, inputs, settings, host),
    flow: <Shape extends FlowShape>(flow: string | undefined) => ({
      run: (inputs: Shape['inputs'], settings = {}) =>
        typedRow<Shape['outputs']>(startRow(flow, inputs as JsonObject, settings, host)),
    }),
    runNode: (flow, asked, settings = {}) => startNode(flow, asked, settings, host),
    chat: async (flow, inputs = {}, given = {}) => {
      const settings = await bulkSettingsOf(flow, readSettings(chatSettings, given), host);
      const { openChat } = await import('../chat/chat.ts');
      return await openChat(findFlow(flow, host), readInputs(inputs), settings, host);
    },
    runDataset: (flow, settings) => startDataset(flow, settings, host),
    resume: (run, settings = {}) => startResumed(run, 'resume', settings, host),
    retryFailed: (run, settings = {}) => startResumed(run, 'retry-failed', settings, host),
    plan: (flow, settings) => planRun(flow, settings, host),
    runs: runsOn(host),
    parity: (flow, run, settings = {}) => startParity(flow, run, settings, host),
    diff: (before, after, settings = {}) => diffRuns([before, after], settings, host),
    evaluate: (evaluation, settings = {}) => startEvaluation(evaluation, settings, host),
    gate: (evaluation, settings = {}) => startEvaluation(evaluation, settings, host, { asks: true }),
    acceptBaseline: (evaluation, settings = {}) => startBaseline(evaluation, settings, host),
    oracle: (evaluation, settings = {}) => startOracle(evaluation, settings, host),
    why: async (run, settings = {}) => {
      const asked = readSettings(whySettings, settings);
      const { explainRow } = await import('../explain/explain-row.ts');
      return await explainRow(run, asked, host);
    },
    export: (run, settings = {}) => exportRun(run, settings, host),
    connections: connectionsOn(host),
    indexes: indexesOn(host),
    datasets: { open: (data, options = {}) => openDataset(data, options, host) },
  };
}

function listFlows(host: ProjectHost): readonly FoundFlow[] {
  const files = globSync('**/{flow.dag.yaml,flow.flex.yaml,*.[pP][rR][oO][mM][pP][tT][yY]}', {
    cwd: host.folder,
    exclude: (path) => /(^|[\\/])(node_modules|\.[^\\/.][^\\/]*)$/.test(String(path)),
  });
  return files.sort().map((file) => findFlow(file, host));
}

async function planRun(name: string | undefined, given: DatasetRunSettings, host: ProjectHost): Promise<RunPlan> {
  const { signal: _, ...read } = readSettings(datasetRunSettings, given);
  const settings = await bulkSettingsOf(name, read, host);
  const { planDataset } = await import('../forecast/plan-dataset.ts');
  return await planDataset(settings, host);
}

async function diffRuns(
  names: readonly (string | undefined)[],
  given: DiffSettings,
  host: ProjectHost,
): Promise<DiffReport> {
  const { renames = {}, key, byIteration = false, node, only, rows = 5 } = readSettings(diffSettings, given);
  const [{ buildReport }, { chooseRuns }, { openRun }, { whyUnfinished }] = await Promise.all([
    import('../diff/build-report.ts'),
    import('../diff/choose-runs.ts'),
    import('../diff/open-run.ts'),
    import('../run-catalog/why-unfinished.ts'),
  ]);
  const runs = await chooseRuns(names, host);
  await using left = await openRun(runs.before, host);
  await using right = await openRun(runs.after, host);
  for (const { store, place } of [left, right]) {
    const why = await whyUnfinished(place, store, host);
    if (why !== undefined) notify(host, { kind: 'warning', message: `run ${runIdOf(place)} ${why}` });
  }
  const asked = { key, byIteration, node, only, rows, renames: new Map(Object.entries(renames)) };
  return await buildReport({ left, right, ...asked, folder: host.folder });
}

async function* exportRun(
  run: string | undefined,
  given: ExportSettings,
  host: ProjectHost,
): AsyncGenerator<string | Uint8Array, void> {
  const { format = 'jsonl', nodes = false } = readSettings(exportSettings, given);
  await using store = await openRecord(await findRun(run, host), host);
  yield* writeRows(nodes ? exportNodes(store) : exportRows(store), format);
}

async function openDataset(
  data: string,
  given: Parameters<Project['datasets']['open']>[1],
  { folder }: ProjectHost,
): ReturnType<Project['datasets']['open']> {
  requireName(data, 'a dataset');
  const opened = await openData(resolve(folder, data), readSettings(datasetSettings, given ?? {}));
  if (opened.ok) return opened.data;
  throw new ProjectFailure(opened.message.replaceAll(resolve(folder, data), data), { code: 'DataNotFound' });
}
