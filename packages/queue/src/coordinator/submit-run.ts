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
import type { Database, Transaction } from '../database/database.ts';
import type { Jobs } from '../jobs/index.ts';
import { createRun } from '../record/stored-run.ts';
import { addChunks, addRunWork, chunkSize, workSettingsOf } from '../work/index.ts';
import { withImages } from './with-images.ts';

export interface SubmitSettings {
  readonly bulk: BulkSettings;
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
  { bulk: settings, durableNodes }: SubmitSettings,
  jobs: Jobs,
  database: Database,
  host: ProjectHost,
): Promise<string> {
  return await withDistantBulk(settings, host, async (bulk) => {
    const bundle = bundleOf(bulk, host);
    const { id } = bulk.info;
    // Where the run cannot be stored its queue stays, empty: another run of its name may be using it.
    await jobs.openQueue(id);
    await createRun(database, bulk.info, async (transaction, { number }) => {
      await storeWork(number, bulk, bundle, { durableNodes, jobs, transaction });
    });
    return id;
  });
}

function bundleOf({ flow, found, settings }: DistantBulk, host: ProjectHost): FlowBundle {
  const connections = composeConnections(host, found.folder, settings.connectionsFile);
  const copy = packFlow(found, flow.plan, connections, host);
  const kept = copy.leftOut.filter(holdsSecrets).map(({ path }) => path);
  if (kept.length > 0) {
    notify(host, { kind: 'warning', message: `does not go to workers, since it may hold secrets: ${kept.join(', ')}` });
  }
  return bundleFlow(copy, found, host.folder);
}

function holdsSecrets({ path, why }: LeftOut): boolean {
  return why !== 'is hidden' || /(?:^|\/)\.env(?:\.|$)/.test(path);
}

async function storeWork(
  run: number,
  { flow, rows, settings, info }: DistantBulk,
  bundle: FlowBundle,
  { durableNodes, jobs, transaction }: { durableNodes: boolean; jobs: Jobs; transaction: Transaction },
): Promise<void> {
  await storeBundle(bundle, transaction);
  await addRunWork(run, bundle.id, workSettingsOf(settings, durableNodes), transaction);
  const size = chunkSize(rows.data.total, asksModels(flow.plan));
  const inlined = withImagesIn(rows.rows, flow.plan);
  const count = await addChunks(run, inlined, size, transaction);
  const chunks = Array.from({ length: count }, (_, chunk) => ({
    name: `rows ${chunk}, attempt 1`,
    work: { kind: 'rows', chunk } as const,
  }));
  await jobs.add(info.id, chunks, transaction);
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
