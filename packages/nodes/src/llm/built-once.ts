import type { Values } from '@unroll/engine';
import type { BuiltRequest } from './build-request.ts';

/** Keeps the last request: it is built for the fingerprint, and then sent at once. What was built for others is built again. */
export function builtOnce<Rest extends readonly unknown[]>(
  build: (inputs: Values, ...rest: Rest) => BuiltRequest,
): (inputs: Values, ...rest: Rest) => BuiltRequest {
  let last: { readonly inputs: Values; readonly built: BuiltRequest } | undefined;
  return (inputs, ...rest) => {
    if (last?.inputs === inputs) return last.built;
    const built = build(inputs, ...rest);
    last = { inputs, built };
    return built;
  };
}
