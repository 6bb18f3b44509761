import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlowFiles, type JsonObject, type NodeDefinition, type PrepareContext, rowAlone } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { readTools } from './read-tools.ts';
import { stringifyRetriever } from './retriever-file.ts';
import { toolCallNodeType } from './tool-call-node-type.ts';
import { nameTools } from './tool-catalogue.ts';
import { toolLookupNodeType } from './tool-lookup-node-type.ts';
import { trainRetriever } from './train-retriever.ts';

const folder = mkdtempSync(join(tmpdir(), 'tool-nodes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const text = [
  { tool: 'Shop', api: 'get order', category: 'Trade', description: 'The state of an order' },
  { tool: 'Weather', api: 'forecast', category: 'Weather', description: 'The weather of the next days' },
]
  .map((one) => JSON.stringify(one))
  .join('\n');
writeFileSync(join(folder, 'all.jsonl'), text);
writeFileSync(join(folder, 'broken.jsonl'), '{"name": \n');
const { tools } = nameTools(readTools({ path: 'all.jsonl', text }).tools);
writeFileSync(
  join(folder, 'all.model'),
  stringifyRetriever(trainRetriever(tools, [{ query: 'umbrella', relevant: [1] }]), tools),
);

const files = createFlowFiles(folder, folder);
function nodeOf(settings: JsonObject): NodeDefinition {
  return { name: 'find', type: 'x', inputs: {}, aggregation: false, settings, locate: () => undefined };
}
const context = { files } as unknown as PrepareContext;
const call = {
  runId: 'r',
  line: 0,
  node: 'find',
  signal: new AbortController().signal,
  flowInputs: {},
  row: rowAlone(),
};

test.for([
  {
    settings: {},
    told: ['FLOW_WRONG_VALUE catalogue: expected the path of a .tools file, or of a file of tools'],
  },
  {
    settings: { catalogue: 'all.jsonl', top_k: 51, ranking: 'best', offer: 'all', retriever: 7 },
    told: [
      'FLOW_WRONG_VALUE top_k: expected a whole number from 1 to 50',
      'FLOW_WRONG_VALUE ranking: expected one of features, bm25f',
      'FLOW_WRONG_VALUE retriever: expected the path of a file that flow tools train wrote',
      'FLOW_WRONG_VALUE offer: expected one of tools, call_tool, structured_outputs',
    ],
  },
  {
    settings: { catalogue: 'all.jsonl', category: [1] },
    told: ['FLOW_WRONG_VALUE category: expected the name of a category, or a list of them'],
  },
  {
    settings: { catalogue: 'al.jsonl' },
    told: ['FILE_MISSING there is no file "al.jsonl" for node "find" | did you mean "all.jsonl"?'],
  },
  {
    settings: { catalogue: 'al.jsonl', top_k: 'three', retriever: 'al.model' },
    told: [
      'FLOW_WRONG_VALUE top_k: expected a whole number from 1 to 50',
      'FILE_MISSING there is no file "al.jsonl" for node "find" | did you mean "all.jsonl"?',
      'FILE_MISSING there is no file "al.model" for node "find" | did you mean "all.model"?',
    ],
  },
  {
    settings: { catalogue: '../x.tools' },
    told: [
      'FILE_OUTSIDE "../x.tools" leads out of the folder of the flow | move the file into the folder, or list it under "additional_includes"',
    ],
  },
  { settings: { catalogue: 'all.jsonl', top_k: 50 }, told: [] },
  {
    settings: { catalogue: 'broken.jsonl' },
    told: [expect.stringMatching(/^TOOL_CATALOGUE broken\.jsonl:1: no JSON/)],
  },
  {
    settings: { catalogue: 'all.jsonl', category: ['Trade', 'Wether'] },
    told: ['TOOL_CATALOGUE the catalogue has no category "Wether" | did you mean "Weather"?'],
  },
  {
    settings: { catalogue: 'all.jsonl', retriever: 'al.model' },
    told: ['FILE_MISSING there is no file "al.model" for node "find" | did you mean "all.model"?'],
  },
  {
    settings: { catalogue: 'all.jsonl', retriever: '../all.model' },
    told: [
      'FILE_OUTSIDE "../all.model" leads out of the folder of the flow | move the file into the folder, or list it under "additional_includes"',
    ],
  },
  {
    settings: { catalogue: 'all.jsonl', retriever: 'all.jsonl' },
    told: [expect.stringMatching(/^TOOL_CATALOGUE all\.jsonl is no trained retriever; make one: /)],
  },
  { settings: { catalogue: 'all.jsonl', category: 'Weather', retriever: 'all.model' }, told: [] },
])('tool_lookup with $settings', ({ settings, told }) => {
  const { diagnostics } = toolLookupNodeType().inspect(nodeOf(settings), files);
  expect(
    diagnostics.map(({ code, message, help }) => `${code} ${message}${help === undefined ? '' : ` | ${help}`}`),
  ).toEqual(told);
});

test('tool_lookup gives ids, hits and the tools as the model takes them; what it is made of counts', async () => {
  const settings = { catalogue: 'all.jsonl', top_k: 1, offer: 'call_tool' };
  const node = await toolLookupNodeType().prepare(nodeOf(settings), context);
  expect(await node.run({ query: 'where is my order' }, call)).toEqual({
    ok: true,
    output: {
      ids: ['get_order'],
      hits: [{ id: 'get_order', title: 'get order', text: 'The state of an order', score: expect.any(Number) }],
      tools: [{ type: 'function', function: expect.objectContaining({ name: 'call_tool' }) }],
    },
  });
  expect(Object.keys((await node.parts?.()) ?? {})).toEqual(['catalogue all.jsonl', 'settings']);
  expect(await node.run({ query: 7 }, call)).toMatchObject({ ok: false, error: { code: 'ToolLookupError' } });
});

test('tool_lookup asks a trained retriever', async () => {
  const settings = { catalogue: 'all.jsonl', retriever: 'all.model', top_k: 1 };
  const node = await toolLookupNodeType().prepare(nodeOf(settings), context);
  expect(await node.run({ query: 'umbrella' }, call)).toMatchObject({ output: { ids: ['forecast'] } });
  expect(Object.keys((await node.parts?.()) ?? {})).toContain('retriever all.model');
});

test.for<readonly [what: string, settings: JsonObject, inputs: JsonObject, ids: readonly string[]]>([
  ['each of several queries', {}, { query: ['the weather', 'my order'] }, ['get_order', 'forecast']],
  ['one category alone', { category: 'Weather' }, { query: 'the state of my order and the weather' }, ['forecast']],
  [
    'one category alone, by a trained retriever',
    { category: ['Weather'], retriever: 'all.model', top_k: 1 },
    { query: 'order' },
    ['forecast'],
  ],
  [
    'what a lookup node found',
    { top_k: 2 },
    { found: [{ id: 'forecast', score: 0.9 }, { id: 'none' }, { id: 'forecast' }, { id: 'get_order', score: 0.1 }] },
    ['forecast', 'get_order'],
  ],
  ['names', { category: 'Weather' }, { found: ['get_order', 'forecast'] }, ['forecast']],
])('tool_lookup takes %s', async ([, settings, inputs, ids]) => {
  const node = await toolLookupNodeType().prepare(nodeOf({ catalogue: 'all.jsonl', ...settings }), context);
  expect(await node.run(inputs, call)).toMatchObject({ ok: true, output: { ids } });
});

test('tool_lookup asks for a query where it is handed nothing', () => {
  const needed = (inputs: NodeDefinition['inputs']) =>
    toolLookupNodeType()
      .inspect({ ...nodeOf({ catalogue: 'all.jsonl' }), inputs }, files)
      .parameters?.map(({ name, required }) => [name, required]);
  expect(needed({})).toEqual([
    ['query', true],
    ['found', false],
  ]);
  expect(needed({ found: { kind: 'literal', value: [] } })?.[0]).toEqual(['query', false]);
});

test.for([
  [
    { catalogue: 'all.jsonl', category: 'Wether' },
    /^the catalogue has no category "Wether"; did you mean "Weather"\?$/,
  ],
  [{ catalogue: 'broken.jsonl' }, /^broken\.jsonl:1: no JSON/],
  [{ catalogue: 'all.jsonl', retriever: 'none.model' }, /^there is no file none\.model$/],
  [{ catalogue: 'all.jsonl', retriever: 'all.jsonl' }, /^all\.jsonl is no trained retriever/],
] as const)('a flow with %j cannot be made ready', async ([settings, message]) => {
  await expect(toolLookupNodeType().prepare(nodeOf(settings), context)).rejects.toThrow(message);
});

test.for([
  { settings: {}, told: ['catalogue: expected the path of a .tools file, or of a file of tools'] },
  { settings: { catalogue: 'all.jsonl', on_refused: 'stop' }, told: ['on_refused: expected one of tell, fail'] },
  { settings: { catalogue: 'broken.jsonl' }, told: [expect.stringMatching(/^broken\.jsonl:1: no JSON/)] },
])('tool_call with $settings', ({ settings, told }) => {
  const { diagnostics } = toolCallNodeType().inspect(nodeOf(settings), files);
  expect(diagnostics.map(({ message }) => message)).toEqual(told);
});

test('tool_call maps a call back to what its documentation names; without offered tools all of the catalogue may be called', async () => {
  const node = await toolCallNodeType().prepare(nodeOf({ catalogue: 'all.jsonl' }), context);
  const message = { content: null, function_call: { name: 'get_order', arguments: '{}' } };
  expect(await node.run({ message }, call)).toEqual({
    ok: true,
    output: {
      ok: true,
      calls: [{ name: 'get_order', api: 'get order', tool: 'Shop', call: null, arguments: {} }],
      refusals: [],
      repair: null,
    },
  });
  expect(await node.run({ message: 'Nothing to call.' }, call)).toMatchObject({
    output: { ok: false, refusals: [{ reason: 'no_call' }], repair: null },
  });
});
