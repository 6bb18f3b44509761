import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

/** Another connection of a node that asks a model: its name alone, or with the model it is asked for. */
export type Fallback =
  | string
  | { readonly connection: string; readonly model?: string; readonly deployment_name?: string };

/** `retry: {fallback: […]}` as written; what is none is left out, and told by the schema. */
export function readFallbacks(written: JsonValue | undefined): readonly Fallback[] {
  return Array.isArray(written) ? (written as readonly JsonValue[]).flatMap(readFallback) : [];
}

function readFallback(written: JsonValue): readonly Fallback[] {
  if (typeof written === 'string') return written === '' ? [] : [written];
  if (!isMapping(written)) return [];
  const { connection, model, deployment_name: deployment } = written;
  if (typeof connection !== 'string' || connection === '') return [];
  const named = typeof model === 'string' ? { model } : {};
  return [{ connection, ...named, ...(typeof deployment === 'string' ? { deployment_name: deployment } : {}) }];
}

/** The name of the connection of a fallback. */
export function fallbackConnection(fallback: Fallback): string {
  return typeof fallback === 'string' ? fallback : fallback.connection;
}

/** The model that a fallback names; undefined where the node's own is asked for. */
export function fallbackModel(fallback: Fallback): string | undefined {
  return typeof fallback === 'string' ? undefined : (fallback.deployment_name ?? fallback.model);
}
