import { type FingerprintInputs, type NodeError, type PrepareContext, PrepareError } from '@unroll/engine';
import { codeParts } from '../code/code-parts.ts';
import type { WorkerPool } from './worker-pool.ts';

/** The parts of a Python node, as of TypeScript ones, with the version of Python. */
export async function pythonParts(pool: WorkerPool, path: string, context: PrepareContext): Promise<FingerprintInputs> {
  const reply = await pool.version();
  if (!reply.ok) throw new PrepareError(unknownVersion());
  return { python: String(reply.value), ...codeParts(path, context) };
}

function unknownVersion(): NodeError {
  const message = 'the version of Python cannot be told: the Python worker ended';
  return { code: 'WorkerCrashed', message, retryable: true };
}
