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

const files = { folder: '/f', read: () => undefined, resolve: () => undefined, list: () => [] };
const codesOf = (path: string, text: string): readonly string[] =>
  parseDefinition({ path, text }, { nodeTypes: new Map(), files }).diagnostics.map(({ code }) => code);

test.for([
  ['language: csharp', true],
  ['language: "C#"   # ours', true],
  ["language : 'CSharp'", true],
  ['language: csharper', false],
  ['language: csharp and more', false],
  ['language: python', false],
  ['# language: csharp', false],
  ['a_language: csharp', false],
] as const)('whether %j is a flow in C#: %s', ([line, isOne]) => {
  expect(codesOf('flow.dag.yaml', `${line}\nnodes: []\n`).includes('FLOW_LANGUAGE')).toBe(isOne);
});

test.for([
  ['flow.flex.yaml', 'entry: code:run\n', true],
  ['below/flow.flex.yml', 'nodes: []\n', true],
  ['any.yaml', 'entry: code:run\n', true],
  ['any.yaml', 'x: 1\nentry : code:run\n', true],
  ['flow.flex.yaml.bak', 'nodes: []\n', false],
  ['myflow.flex.yaml', 'nodes: []\n', false],
  ['any.yaml', 'nodes: []\nmy_entry: a:b\n', false],
] as const)('whether %s with %j is code that is a flow: %s', ([path, text, isFlex]) => {
  const { spec } = parseDefinition({ path, text }, { nodeTypes: new Map(), files });
  expect(spec?.nodes.some(({ type }) => type === 'flex') ?? true).toBe(isFlex);
});

test.for(['x.prompty', 'X.PROMPTY', 'x.Prompty'])('%s is a prompty', (path) => {
  const text = '---\nmodel: {api: chat, configuration: {type: openai, model: m}}\n---\nuser:\nhi\n';
  expect(parseDefinition({ path, text }, { nodeTypes: new Map(), files }).diagnostics).toEqual([]);
});
