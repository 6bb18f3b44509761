import type { Values } from '@unroll/engine';
import type { BuiltRequest } from './build-request.ts';

/** Keeps the request of each set of inputs: it is built for the fingerprint, and then sent. */
export function builtOnce<Rest extends readonly unknown[]>(
  build: (inputs: Values, ...rest: Rest) => BuiltRequest,
): (inputs: Values, ...rest: Rest) => BuiltRequest {
  const requests = new WeakMap<Values, BuiltRequest>();
  return (inputs, ...rest) => {
    const known = requests.get(inputs) ?? build(inputs, ...rest);
    requests.set(inputs, known);
    return known;
  };
}
