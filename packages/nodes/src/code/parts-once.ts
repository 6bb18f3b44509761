import { type FingerprintInputs, type FlowScope, ScopeSlot } from '@unroll/engine';

const known = new ScopeSlot<Map<string, Promise<FingerprintInputs>>>('parts of files');

/** The parts of a file for all nodes of a flow that run it: the instances of a loop share one. */
export function partsOnce(
  flow: FlowScope,
  path: string,
  tell: () => FingerprintInputs | Promise<FingerprintInputs>,
): Promise<FingerprintInputs> {
  const ofFlow = flow.kept(known, () => new Map<string, Promise<FingerprintInputs>>());
  const parts = ofFlow.get(path) ?? Promise.resolve().then(tell);
  ofFlow.set(path, parts);
  return parts;
}
