import type { NodeType } from '../node/node-type.ts';
import { loopEnd } from '../plan/loop-end.ts';

/** Package tools that come with the engine; an unrolled flow names them as `source: {type: package, tool: …}`. */
export const builtInTools: ReadonlyMap<string, NodeType> = new Map([
  [
    'unroll.loop_end',
    {
      name: 'unroll.loop_end',
      version: 1,
      effects: 'pure',
      keys: [],
      inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
      prepare: async () => ({ parametersWithDefault: new Set(), parts: () => ({}), run: (inputs) => loopEnd(inputs) }),
    },
  ],
]);
