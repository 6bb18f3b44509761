import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { parseDefinition } from './parse-definition.ts';

test('a flow in C# is told by its language, and by its first node as Prompt flow tells it', () => {
  const text = 'language: csharp\nnodes:\n- {name: a, type: csharp, source: {type: package, tool: T}}\n';
  const files = { folder: '/f', read: () => undefined, resolve: () => undefined, list: () => [] };
  const { diagnostics } = parseDefinition({ path: 'flow.dag.yaml', text }, { nodeTypes: new Map(), files });
  expect(diagnostics.map((found) => [found.code, promptFlowError(found)?.message])).toEqual([
    ['FLOW_LANGUAGE', "Tool load failed in 'a': (NotImplementedError) Tool type ToolType.CSHARP is not supported yet."],
  ]);
});
