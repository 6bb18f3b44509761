import { type ConnectionTest, type FeatureTest, modelOpener, testConnection, testFeatures } from '@unroll/nodes';
import { composeConnections } from '../connections/compose.ts';
import { notFound } from '../connections/stores.ts';
import { tellDoubts } from '../connections/tell-doubts.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

export interface ConnectionTestSettings {
  /** Looked into before all other places. */
  readonly connectionsFile?: string | undefined;
  /** Asked three short questions. */
  readonly model?: string | undefined;
  /** That the model is asked by; `chat` where it is not said. */
  readonly api?: Parameters<typeof testFeatures>[2]['api'] | undefined;
}

export interface TestedConnection {
  readonly type: string;
  readonly test: ConnectionTest;
  /** What the model can do, where one was named and the service answers. */
  readonly features?: readonly FeatureTest[] | undefined;
}

/**
 * One cheap real call to the service of a connection; and what a model of it can do.
 *
 * @throws ProjectFailure where there is none of that name, with the nearest
 */
export async function testNamedConnection(
  name: string,
  { connectionsFile, model, api }: ConnectionTestSettings,
  signal: AbortSignal,
  system: System,
): Promise<TestedConnection> {
  if (model === undefined && api !== undefined)
    throw new ProjectFailure('--api needs --model: the API is asked for a model');
  const source = composeConnections(system, system.folder, connectionsFile);
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names(), source.hint?.(name));
  tellDoubts(name, source, system);
  const { type } = connection;
  const test = await testConnection(connection, signal);
  if (test.works === false || model === undefined) return { type, test };
  const service = await modelOpener([system.folder])(connection);
  if (service === undefined) return { type, test };
  return { type, test, features: await testFeatures(service, connection, { api: api ?? 'chat', model }, signal) };
}
