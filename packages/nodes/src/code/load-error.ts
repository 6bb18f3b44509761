import type { NodeError } from '@unroll/engine';
import type { LoadFailure } from './thread-messages.ts';

/** Code that cannot be imported, or that lacks the function which is wanted of it. */
export function loadError({ message, cause, trace }: LoadFailure, path: string): NodeError {
  if (message !== undefined) return { code: 'NoToolDefined', message, retryable: false };
  return {
    code: 'ModuleLoadError',
    message: `Failed to load module from file '${path}': (${cause.code}) ${cause.message}`,
    retryable: false,
    cause,
    trace,
  };
}
