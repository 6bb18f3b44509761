import type { NodeWrapper } from '@unroll/engine';
import type { PermitsOf } from '@unroll/nodes';
import {
  FlowNotReady,
  madeWith,
  type OpenedEarlierRun,
  openedEarlierRun,
  openForRun,
  ProjectFailure,
  type ProjectHost,
  usageCost,
} from '@unroll/project';
import { bundleFile, bundleManifest, prepareBundlePython, unpackBundle } from '../bundle/index.ts';
import type { Database } from '../database/database.ts';
import type { SharedLimits } from '../limits/index.ts';
import { PostgresRunReader } from '../record/postgres-run-reader.ts';
import { findStoredRun } from '../record/stored-run.ts';
import { engineKeyOf, requireKey } from '../seal/index.ts';
import { givenValues, type RunWork } from '../work/index.ts';
import { WorkedRun } from './worked-run.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Why a worker cannot run what another one may; and whether that can change while it runs. */
export interface Lack {
  readonly reason: string;
  readonly canChange: boolean;
}

/** What all runs of a worker share. */
export interface SharedByRuns {
  readonly database: Database;
  readonly limits: Pick<SharedLimits, 'permitsOf'>;
}

/**
 * Makes the flow of a run ready here.
 *
 * @returns what this worker lacks for it; `'busy'` where another worker of this machine makes ready what both need
 */
export async function openWorkedRun(
  work: RunWork,
  settings: WorkerSettings,
  host: ProjectHost,
  shared: SharedByRuns,
): Promise<WorkedRun | Lack | 'busy'> {
  const { version } = madeWith();
  if (work.version !== version) {
    return { reason: `it is Unroll ${version}, and the run was begun with ${work.version}`, canChange: false };
  }
  try {
    return await opened(work, settings, host, shared);
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return { reason: lackText(error), canChange: true };
  }
}

async function opened(
  work: RunWork,
  settings: WorkerSettings,
  host: ProjectHost,
  { database, limits }: SharedByRuns,
): Promise<WorkedRun | 'busy'> {
  const { cache, connectionsFile, signal } = settings;
  const key = engineKeyOf(host.environment);
  const given = givenValues(work.id, work.settings, key);
  if (work.settings.sealed !== undefined) requireKey(work.settings.sealed.key, key);
  const manifest = await bundleManifest(work.bundle, database);
  const unpacked = await unpackBundle(work.bundle, manifest, cache, (file) => bundleFile(file, database));
  const { environment } = host;
  if (!(await prepareBundlePython(unpacked, { cache, environment, signal, onLine: settings.onLine }))) return 'busy';
  let run: WorkedRun | undefined;
  const connections = new Set<string>();
  const permitsOf: PermitsOf = (connection, limit) => {
    connections.add(connection);
    return limits.permitsOf(connection, limit);
  };
  const { durableNodes, sealed: _, request, ...ofFlow } = work.settings;
  const durable: NodeWrapper = durableFirst(async () => await run?.durable());
  const opened = await openForRun(
    unpacked.found,
    {
      ...ofFlow,
      ...given,
      guardsImageFiles: request !== undefined,
      allowsPrivateImages: request?.allowsPrivateImages ?? false,
      connectionsFile,
      cassette: unpacked.cassette === undefined ? undefined : { replay: unpacked.cassette, isShared: true },
      openEarlier: (name) => openEarlierThere(name, database, host),
      shownFrom: unpacked.root,
      wrappers: durableNodes ? [durable] : [],
      permitsOf,
    },
    host,
  );
  const costOf = usageCost(opened.flow.plan, opened.connections, host);
  run = new WorkedRun(work, opened.flow, { costOf, connections, key }, database);
  // What the run may spend may be spent already.
  await run.sync();
  return run;
}

/** Every worker takes outputs from the run that stands in; what none of them finds there runs. */
async function openEarlierThere(id: string, database: Database, host: ProjectHost): Promise<OpenedEarlierRun> {
  const run = await findStoredRun(database, id);
  return await openedEarlierRun(async (onDamage) => new PostgresRunReader(database, run, { onDamage }), host);
}

/** A node begins once what ended before it is durable: no call that was recorded is made again. */
function durableFirst(durable: () => Promise<void>): NodeWrapper {
  return {
    name: 'durable',
    wrap: (prepared) => ({
      ...prepared,
      run: async (inputs, call) => {
        await durable();
        return await prepared.run(inputs, call);
      },
    }),
  };
}

/** Mistakes found here were not there where the run was begun: what differs is the machine. */
function lackText(failure: ProjectFailure): string {
  if (!(failure instanceof FlowNotReady)) return withHelp(failure);
  const errors = failure.diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? failure.message : [...new Set(errors.map(withHelp))].join('; ');
}

function withHelp({ message, help }: { readonly message: string; readonly help?: string | undefined }): string {
  return help === undefined ? message : `${message}: ${help}`;
}
