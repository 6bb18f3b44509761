import type { Embedder } from '@unroll/engine';
import { type Composition, composeEmbedders } from '../connections/compose.ts';
import type { System } from '../host/project-host.ts';

/** Opens embedding models by their connections, for texts that are compared; a sentence where there is none. */
export function textEmbedders(
  { connections }: Composition,
  system: System,
): (connection: string, model: string | undefined) => Promise<Embedder | string> {
  return async (name, model) => {
    const connection = connections.find(name);
    if (connection === undefined) return `there is no connection "${name}"`;
    const { openTextEmbedder } = await import('@unroll/nodes/embedders');
    return await openTextEmbedder(connection, model, composeEmbedders(system).services);
  };
}
