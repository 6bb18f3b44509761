import type { NodeParts } from '@unroll/engine';

const known = new WeakMap<object, Map<string, Promise<NodeParts>>>();

/** The parts of a file for all nodes of a flow that run it: the instances of a loop share one. */
export function partsOnce(flow: object, path: string, tell: () => NodeParts | Promise<NodeParts>): Promise<NodeParts> {
  const ofFlow = known.get(flow) ?? new Map<string, Promise<NodeParts>>();
  known.set(flow, ofFlow);
  const parts = ofFlow.get(path) ?? Promise.resolve().then(tell);
  ofFlow.set(path, parts);
  return parts;
}
