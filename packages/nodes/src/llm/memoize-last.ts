import type { JsonObject } from '@unroll/engine';
import type { BuiltRequest } from './build-request.ts';

/** Keeps the last request: it is built for the fingerprint, and then sent at once. What was built for others is built again. */
export function memoizeLast<Rest extends readonly unknown[]>(
  build: (inputs: JsonObject, ...rest: Rest) => BuiltRequest,
): (inputs: JsonObject, ...rest: Rest) => BuiltRequest {
  let last: { readonly inputs: JsonObject; readonly built: BuiltRequest } | undefined;
  return (inputs, ...rest) => {
    if (last?.inputs === inputs) return last.built;
    const built = build(inputs, ...rest);
    last = { inputs, built };
    return built;
  };
}
