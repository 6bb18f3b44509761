import type { NodeType } from '../node/node-type.ts';
import { loopEnd, loopProperties } from './loop-end.ts';
import { forcedAnswerTool } from './unroll-agents.ts';

const stopSentence = 'Agent stopped due to max iterations.';

/** Package tools that come with the engine; an unrolled flow names them as `source: {type: package, tool: …}`. */
export const builtInTools: ReadonlyMap<string, NodeType> = new Map<string, NodeType>([
  [
    'unroll.loop_end',
    {
      name: 'unroll.loop_end',
      version: 1,
      effects: 'pure',
      keys: [],
      inspect: () => ({ diagnostics: [], takesAnyInput: true, outputProperties: loopProperties, files: [] }),
      prepare: async () => ({ parametersWithDefault: new Set(), parts: () => ({}), run: (inputs) => loopEnd(inputs) }),
    },
  ],
  [
    forcedAnswerTool,
    {
      name: forcedAnswerTool,
      version: 1,
      effects: 'pure',
      keys: [],
      inspect: () => ({ diagnostics: [], takesAnyInput: true, outputType: 'string', files: [] }),
      prepare: async () => ({
        parametersWithDefault: new Set(),
        parts: () => ({}),
        run: () => ({ ok: true, output: stopSentence }),
      }),
    },
  ],
]);
