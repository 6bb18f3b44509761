import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DataRow, JsonObject, Plan } from '@unroll/engine';
import {
  type BulkSettings,
  composeConnections,
  type DistantBulk,
  type LeftOut,
  notify,
  type ProjectHost,
  packFlow,
  withDistantBulk,
} from '@unroll/project';
import { bundleFlow, type FlowBundle, storeBundle } from '../bundle/index.ts';
import { whileAlive } from '../database/briefly.ts';
import type { Database } from '../database/database.ts';
import type { Jobs } from '../jobs/index.ts';
import { createRun } from '../record/stored-run.ts';
import { type EngineKey, engineKeyOf } from '../seal/index.ts';
import {
  addChunks,
  addRunWork,
  chunkSize,
  rowSealer,
  type SealedSettings,
  sealValues,
  workSettingsOf,
} from '../work/index.ts';
import { earlierOnEngine } from './earlier-on-engine.ts';
import { withImages } from './with-images.ts';

export interface SubmitSettings {
  readonly bulk: Omit<BulkSettings, 'since'>;
  /** Run whose outputs stand in, as a user names it: here, or on the engine. */
  readonly since?: string | undefined;
  /** Each node is durable before those that read it begin. */
  readonly durableNodes: boolean;
}

/**
 * Hands a run over data to the workers: from here on it belongs to PostgreSQL. All of it is there, or nothing.
 *
 * @returns its id
 * @throws ProjectFailure when flow or data are wrong, the flow is too large, or something in it does not leave this machine
 */
export async function submitRun(
  { bulk: asked, since, durableNodes }: SubmitSettings,
  jobs: Jobs,
  database: Database,
  host: ProjectHost,
): Promise<string> {
  const key = engineKeyOf(host.environment);
  const earlier = since === undefined ? undefined : await earlierOnEngine(since, database, host);
  const settings = earlier === undefined ? asked : { ...asked, since: earlier };
  return await withDistantBulk(settings, { keepsSecrets: key !== undefined }, host, async (bulk) => {
    const size = chunkSize(bulk.rows.data.total, asksModels(bulk.flow.plan));
    const rows = withImagesIn(bulk.rows.rows, bulk.flow.plan);
    const work = { durableNodes, since: earlier };
    await storeRun(bulk, { bundle: bundleOf(bulk, host), rows, size, work }, key, jobs, database);
    return bulk.info.id;
  });
}

/** A run that is made ready to be handed over. */
type ReadyRun = Pick<DistantBulk, 'flow' | 'found' | 'settings' | 'info'>;

interface RunToStore {
  readonly bundle: FlowBundle;
  readonly rows: AsyncIterable<DataRow>;
  /** Rows a chunk. */
  readonly size: number;
  readonly work: Omit<Parameters<typeof workSettingsOf>[1], 'sealed'>;
}

/** All of the run is there from here on, or nothing. */
export async function storeRun(
  run: ReadyRun,
  { bundle, rows, size, work }: RunToStore,
  key: EngineKey | undefined,
  jobs: Jobs,
  database: Database,
): Promise<void> {
  const { id } = run.info;
  // Where the run cannot be stored its queue stays, empty: another run of its name may be using it.
  await jobs.openQueue(id);
  const sealed = sealedOf(run, key);
  const seal = sealed?.rows === true && key !== undefined ? rowSealer(id, key) : undefined;
  await createRun(database, run.info, async (transaction, { number }) => {
    // First, since rows may come slowly; what others wait for comes after it.
    const count = await whileAlive(transaction, () => addChunks(number, rows, size, transaction, seal));
    await storeBundle(bundle, transaction);
    await addRunWork(number, bundle.id, workSettingsOf(run.settings, { ...work, sealed }), transaction);
    const chunks = Array.from({ length: count }, (_, chunk) => ({
      name: `rows ${chunk}, attempt 1`,
      work: { kind: 'rows', chunk } as const,
    }));
    await jobs.add(id, chunks, transaction);
  });
}

export function bundleOf({ flow, found, settings }: Omit<ReadyRun, 'info'>, host: ProjectHost): FlowBundle {
  const connections = composeConnections(host, found.folder, settings.connectionsFile);
  const copy = packFlow(found, flow.plan, connections, host);
  const kept = copy.leftOut.filter(holdsSecrets).map(({ path }) => path);
  if (kept.length > 0) {
    notify(host, { kind: 'warning', message: `does not go to workers, since it may hold secrets: ${kept.join(', ')}` });
  }
  const { cassette } = settings;
  const tape =
    cassette !== undefined && 'replay' in cassette ? readFileSync(resolve(host.folder, cassette.replay)) : undefined;
  return bundleFlow(copy, found, host.folder, tape);
}

/** What of a run may be a secret, where there is something of the kind and a key that seals it. */
function sealedOf({ info, flow, settings }: ReadyRun, key: EngineKey | undefined): SealedSettings | undefined {
  if (key === undefined) return undefined;
  const { environment, init } = settings;
  const rows = flow.plan.inputs.some(({ type }) => type === 'secret') || info.options?.['redacted'] === true;
  const hasValues = Object.keys(environment).length + Object.keys(init).length > 0;
  if (!rows && !hasValues) return undefined;
  return { key: key.id, rows, ...(hasValues ? { values: sealValues({ environment, init }, info.id, key) } : {}) };
}

function holdsSecrets({ path, why }: LeftOut): boolean {
  return why !== 'is hidden' || /(?:^|\/)\.env(?:\.|$)/.test(path);
}

function asksModels({ nodes }: Plan): boolean {
  return nodes.some(({ definition }) => definition.connection !== undefined);
}

async function* withImagesIn(rows: AsyncIterable<DataRow>, { writtenFormat }: Plan): AsyncGenerator<DataRow, void> {
  for await (const row of rows) {
    if ('problem' in row) yield row;
    else yield { ...row, values: withImages(row.values, writtenFormat) as JsonObject };
  }
}
