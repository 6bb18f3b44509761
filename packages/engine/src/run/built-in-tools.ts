import type { PreparedNode } from '../node/node-type.ts';
import { loopEnd } from '../plan/loop-end.ts';

const noDefaults: ReadonlySet<string> = new Set();

/** Package tools that come with the engine; an unrolled flow names them as `source: {type: package, tool: …}`. */
export const builtInTools: ReadonlyMap<string, PreparedNode> = new Map([
  ['unroll.loop_end', { parametersWithDefault: noDefaults, run: (inputs) => loopEnd(inputs) }],
]);
