import { type DataRow, type JsonObject, type RunInfo, shownPath } from '@unroll/engine';
import {
  type BulkSettings,
  type DistantRequest,
  type DistantRequests,
  defaultBulkSettings,
  ProjectFailure,
  type ProjectHost,
  type RequestRun,
  refuseUnsealed,
  type ServedFlow,
  type ServedRun,
} from '@unroll/project';
import type { FlowBundle } from '../bundle/index.ts';
import type { Database } from '../database/database.ts';
import { toldInWords } from '../database/in-words.ts';
import { type Jobs, openJobs } from '../jobs/index.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { type EngineKey, engineKeyOf } from '../seal/index.ts';
import { findRunWork, newestRequests, type RunWork, stopRun } from '../work/index.ts';
import { bundleOf, storeRun } from './submit-run.ts';

export interface ServedRequestSettings {
  /** Requests of all servers that run or wait: more are not taken. */
  readonly maxUnderWay: number;
  /** Milliseconds a row may take, once it runs. */
  readonly rowTimeoutMs: number;
}

/**
 * Hands requests to flows over to the workers, each as a run of one row. A server that was started again answers for them as well.
 *
 * @param flows whose files are as they are now for all requests
 * @throws ProjectFailure where requests to one of them cannot go there
 */
export async function openServedRequests(
  flows: readonly ServedFlow[],
  settings: ServedRequestSettings,
  database: Database,
  host: ProjectHost,
): Promise<DistantRequests & AsyncDisposable> {
  const key = engineKeyOf(host.environment);
  const bundles = new Map(flows.map((flow) => [flow, acceptedBundle(flow, key, host)]));
  const jobs = await openJobs(database, () => undefined);
  const requests = new ServedRequests(bundles, settings, key, jobs, database, host);
  return {
    begin: (flow, inputs) => toldInWords(database, () => requests.begin(flow, inputs)),
    find: (place, among) => toldInWords(database, () => requests.find(place, among)),
    list: (among, limit) => toldInWords(database, () => requests.list(among, limit)),
    cancel: (place) => toldInWords(database, () => requests.cancel(place)),
    [Symbol.asyncDispose]: () => requests[Symbol.asyncDispose](),
  };
}

function acceptedBundle(flow: ServedFlow, key: EngineKey | undefined, host: ProjectHost): FlowBundle {
  const run = flow.asRun();
  const { recorded, redacted = [] } = run.settings;
  if (recorded !== 1) {
    throw new ProjectFailure(
      'an engine records every request that it is given: --record and --engine exclude each other',
    );
  }
  if (redacted.some((name) => run.flow.plan.inputs.some((input) => input.name === name))) {
    throw new ProjectFailure(
      '--redact keeps inputs out of records of this server, and requests to an engine are recorded there',
      {
        help: 'Give the input the type secret: such inputs go to workers sealed (docs/engine.md#secrets), and no record holds them.',
      },
    );
  }
  const settings = bulkOf(run, host);
  if (key === undefined) refuseUnsealed(settings, run.flow.plan);
  return bundleOf({ ...run, settings }, host);
}

function bulkOf({ settings }: RequestRun, host: ProjectHost): BulkSettings {
  const { recorded: _recorded, redacted: _redacted, ...ofFlow } = settings;
  const given = Object.fromEntries(Object.entries(ofFlow).filter(([, value]) => value !== undefined));
  return { ...defaultBulkSettings(host), ...given };
}

class ServedRequests implements DistantRequests, AsyncDisposable {
  private readonly bundles: ReadonlyMap<ServedFlow, FlowBundle>;
  private readonly settings: ServedRequestSettings;
  private readonly key: EngineKey | undefined;
  private readonly jobs: Jobs;
  private readonly database: Database;
  private readonly host: ProjectHost;

  constructor(
    bundles: ReadonlyMap<ServedFlow, FlowBundle>,
    settings: ServedRequestSettings,
    key: EngineKey | undefined,
    jobs: Jobs,
    database: Database,
    host: ProjectHost,
  ) {
    this.bundles = bundles;
    this.settings = settings;
    this.key = key;
    this.jobs = jobs;
    this.database = database;
    this.host = host;
  }

  async begin(
    flow: ServedFlow,
    inputs: JsonObject,
  ): Promise<{ readonly run: string; readonly line: number } | undefined> {
    const bundle = this.bundles.get(flow);
    if (bundle === undefined) throw new Error(`bug: ${flow.name} was not made ready for workers`);
    if ((await this.underWay()) >= this.settings.maxUnderWay) return undefined;
    const run = flow.asRun();
    const { rowTimeoutMs } = this.settings;
    const settings = { ...bulkOf(run, this.host), rowTimeoutMs };
    const request = { allowsPrivateImages: run.settings.allowsPrivateImages === true };
    const work = { durableNodes: true, request };
    const stored = { bundle, rows: only({ line: 0, values: inputs }), size: 1, work };
    await storeRun({ ...run, settings }, stored, this.key, this.jobs, this.database);
    return { run: run.info.id, line: 0 };
  }

  async find(
    { run, line }: { readonly run: string; readonly line: number },
    flows: readonly ServedFlow[],
  ): Promise<DistantRequest | undefined> {
    const found = line === 0 ? await findRunWork(run, this.database) : undefined;
    const flow = found && flows.find((one) => isRequestTo(one, found.info, this.host));
    if (found === undefined || flow === undefined) return undefined;
    await using reader = await openRunReader(this.database, run);
    // In this order: of a row that has ended all nodes are there.
    const row = (await reader.row(0)) ?? endWithoutRow(found);
    return { flow, row, nodes: await reader.nodes(0) };
  }

  async list(flows: readonly ServedFlow[], limit: number): Promise<readonly ServedRun[]> {
    const listed: ServedRun[] = [];
    for await (const run of newestRequests(this.database)) {
      const flow = flows.find((one) => isRequestTo(one, run.info, this.host));
      if (flow === undefined) continue;
      if (listed.push(await servedRun(run, flow.name, this.database)) === limit) break;
    }
    return listed;
  }

  async cancel({ run }: { readonly run: string }): Promise<void> {
    const found = await findRunWork(run, this.database);
    if (found?.settings.request !== undefined) await stopRun(found, 'asked', this.database);
  }

  private async underWay(): Promise<number> {
    const sql = `SELECT count(*) AS n FROM ${this.database.schema}.run_work
      WHERE state IN ('running', 'stopping') AND is_request`;
    const [counted] = await this.database.query<{ readonly n: number }>(sql);
    return counted?.n ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.jobs[Symbol.asyncDispose]();
  }
}

/** Not every run of an engine is answered for: those of requests to this flow are. */
function isRequestTo(flow: ServedFlow, { options, flowPath }: RunInfo, { folder }: ProjectHost): boolean {
  return options?.['serve'] === true && flowPath === shownPath(flow.asRun().found.file, folder);
}

async function servedRun(run: RunWork, flow: string, database: Database): Promise<ServedRun> {
  await using reader = await openRunReader(database, run.id);
  const { Completed, Failed: failed, Canceled } = await reader.rowCounts();
  const rows = endWithoutRow(run) === undefined ? Completed + failed + Canceled : 1;
  return { run: run.id, flow, startedAt: run.info.startedAt, rows, failed };
}

/** A row that was given up leaves no record of its own. */
function endWithoutRow({ standing: { state } }: RunWork): DistantRequest['row'] {
  if (state !== 'stopped') return undefined;
  return {
    status: 'Canceled',
    outputs: {},
    error: { code: 'Canceled', message: 'the request was given up', retryable: true },
  };
}

async function* only(row: DataRow): AsyncGenerator<DataRow, void> {
  yield row;
}
