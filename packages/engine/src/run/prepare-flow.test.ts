// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { type NodeType, PrepareError } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { type Behaviours, madeFlow, madeTypes, noConnections, noFiles, writtenFlow } from './made-flow.fixture.ts';
import { type Prepared, prepareFlow } from './prepare-flow.ts';
import type { PrepareOptions } from './prepare-options.ts';

/** Node types whose preparation is as told, by name of the node: each closes with a mark. */
function preparing(closed: string[], fails: Readonly<Record<string, Error>>): ReadonlyMap<string, NodeType> {
  const type: NodeType = {
    name: 'model',
    version: 1,
    effects: 'reads',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    begin: async ({ name }) => void closed.push(`begin ${name}`),
    prepare: async ({ name }, { onClose }) => {
      onClose(() => void closed.push(`close ${name}`));
      const error = fails[name];
      if (error !== undefined) throw error;
      return { parametersWithDefault: new Set(), run: () => ({ ok: true, output: name }) };
    },
  };
  return new Map([['model', type]]);
}

async function prepared(
  nodes: readonly string[],
  nodeTypes: ReadonlyMap<string, NodeType>,
  options: Partial<PrepareOptions> = {},
): Promise<Prepared> {
  const text = `nodes:\n${nodes.map((name) => `- {name: ${name}, type: model, source: {path: x.ts}}\n`).join('')}`;
  const checks = { nodeTypes, files: noFiles, connections: noConnections };
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text }, checks);
  if (plan === undefined) throw new Error('bug: the flow of this test cannot be read');
  return await prepareFlow(plan, { ...checks, ...options });
}

const fault = (code: string, message: string): PrepareError => new PrepareError({ code, message, retryable: false });

test('the first node that cannot be made ready ends the attempt: what was opened is closed, last first', async () => {
  const closed: string[] = [];
  const result = await prepared(['a', 'b', 'c'], preparing(closed, { b: fault('NoModule', 'no module x') }));
  expect(closed).toEqual(['begin a', 'begin b', 'begin c', 'close b', 'close a']);
  expect(result).toEqual({
    ok: false,
    error: {
      code: 'ResolveToolError',
      message: "Tool load failed in 'b': (NoModule) no module x",
      cause: { code: 'NoModule', message: 'no module x' },
      retryable: false,
      node: 'b',
    },
  });
});

test('a code that is in the message already is not told twice', async () => {
  const result = await prepared(['a'], preparing([], { a: fault('NoModule', 'loading: (NoModule) x') }));
  expect(result).toMatchObject({ ok: false, error: { message: "Tool load failed in 'a': loading: (NoModule) x" } });
});

test('what is thrown otherwise is a bug, and goes on', async () => {
  await expect(prepared(['a'], preparing([], { a: new Error('bug: x') }))).rejects.toThrow('bug: x');
});

test('a flow is closed once, last first', async () => {
  const closed: string[] = [];
  const result = await prepared(['a', 'b'], preparing(closed, {}));
  if (!result.ok) throw new Error(result.error.message);
  closed.length = 0;
  await result.flow[Symbol.asyncDispose]();
  await result.flow[Symbol.asyncDispose]();
  expect(closed).toEqual(['close b', 'close a']);
});

test('only the nodes that are wanted are begun and made ready', async () => {
  const closed: string[] = [];
  const result = await prepared(['a', 'b'], preparing(closed, { a: fault('E', 'no') }), { only: new Set(['b']) });
  if (!result.ok) throw new Error(result.error.message);
  expect(closed).toEqual(['begin b']);
  expect((await result.flow.runNode('b', {})).output).toBe('b');
  await expect(result.flow.runNode('a', {})).rejects.toThrow('bug: node a was not prepared');
  await expect(result.flow.runNode('z', {})).rejects.toThrow('bug: the flow has no node z');
});

test('modules are imported before any node is made ready; one that cannot be ends the attempt', async () => {
  const text = 'nodes:\n- {name: a, type: model, source: {path: x.ts}}\n';
  const closed: string[] = [];
  const [type] = [...preparing(closed, {}).values()];
  if (type === undefined) return;
  const failing = new Map([
    ['model', { ...type, importModules: async () => Promise.reject(fault('PackageError', 'no numpy')) }],
  ]);
  const checks = { nodeTypes: failing, files: noFiles, connections: noConnections };
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text }, checks);
  if (plan === undefined) return;
  const modules = [{ module: 'numpy', what: 'module' }];
  expect(await prepareFlow({ ...plan, modules }, checks)).toEqual({
    ok: false,
    error: { code: 'PackageError', message: 'no numpy', retryable: false },
  });
  expect(closed).toEqual([]);
  expect(await prepareFlow(plan, checks)).toMatchObject({ ok: true });
});

test.for<[what: string, written: string, expected: Readonly<Record<string, string>>]>([
  ['texts as they are', '{A: text, B: "1"}', { A: 'text', B: '1' }],
  [
    'numbers and truth as Python prints them',
    '{A: 1, B: 1.0, C: true, D: null}',
    { A: '1', B: '1.0', C: 'True', D: 'None' },
  ],
  ['lists and mappings as JSON', '{A: [1, true], B: {k: "日本"}}', { A: '[1, true]', B: '{"k": "\\u65e5\\u672c"}' }],
])('variables of the flow: %s', async ([, written, expected]) => {
  let seen: Readonly<Record<string, string>> = {};
  const [type] = [...preparing([], {}).values()];
  if (type === undefined) return;
  const watching: NodeType = {
    ...type,
    prepare: (definition, context) => {
      seen = context.environment;
      return type.prepare(definition, context);
    },
  };
  const checks = { nodeTypes: new Map([['model', watching]]), files: noFiles, connections: noConnections };
  const text = `environment_variables: ${written}\nnodes:\n- {name: a, type: model, source: {path: x.ts}}\n`;
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text }, checks);
  if (plan === undefined) return;
  await prepareFlow(plan, checks);
  expect(seen).toEqual(expected);
  await prepareFlow(plan, { ...checks, environment: { A: 'given' } });
  expect(seen).toEqual({ ...expected, A: 'given' });
});

test('a type that nobody knows, and a node without a source', async () => {
  const text = 'nodes:\n- {name: a, type: model, source: {path: x.ts}}\n';
  const { plan } = checkFlow(
    { path: 'flow.dag.yaml', text },
    { nodeTypes: madeTypes(), files: noFiles, connections: noConnections },
  );
  if (plan === undefined) return;
  const options = { nodeTypes: new Map(), files: noFiles, connections: noConnections };
  const told = async (type: string, source: object | undefined): Promise<unknown> => {
    const nodes = plan.nodes.map(({ definition: { source: _, ...definition }, ...node }) => ({
      ...node,
      definition: { ...definition, type, ...(source === undefined ? {} : { source: source as never }) },
    }));
    const result = await prepareFlow({ ...plan, nodes }, options);
    return result.ok ? undefined : [result.error.cause?.code, result.error.message];
  };
  const source = { type: 'code', path: 'x' };
  expect(await told('wasm', source)).toEqual([
    'NotImplementedError',
    "Tool load failed in 'a': (NotImplementedError) Tool type ToolType.WASM is not supported yet.",
  ]);
  expect(await told('', source)).toEqual([
    'NotImplementedError',
    "Tool load failed in 'a': (NotImplementedError) Tool type None is not supported yet.",
  ]);
  expect(await told('wasm', undefined)).toEqual([
    'UserErrorException',
    "Tool load failed in 'a': (UserErrorException) Node a does not have source defined.",
  ]);
});

test('a node alone gets its literals, those it was given, and nothing else', async () => {
  const given: JsonObject[] = [];
  const keeps = (inputs: JsonObject): JsonValue => given.push(inputs);
  const nodes = [
    'name: a, type: model, inputs: {q: "${inputs.q}", n: 3, dropped: ""}',
    'name: b, type: model, inputs: {n: 3, dropped: ""}',
  ];
  const behaviours: Behaviours = { a: { output: keeps }, b: { output: keeps, literals: { n: 4 } } };
  await using flow = await madeFlow(nodes, behaviours, { now: () => 5 });
  expect(await flow.runNode('a', { q: 'hello' }, { line: 2 })).toEqual({
    line: 2,
    node: 'a',
    kind: 'model',
    status: 'Completed',
    output: 1,
    inputs: { q: 'hello' },
    startedAt: 5,
    durationMs: 0,
  });
  await flow.runNode('a', { n: 1 });
  await flow.runNode('b', {});
  expect(given).toEqual([{ q: 'hello', n: 3, dropped: '' }, { n: 1, dropped: '' }, { n: 4 }]);
});

test('a node alone that fails or is stopped, and one whose picture is not there', async () => {
  const error = { code: 'E', message: 'no', retryable: true };
  const nodes = ['name: a, type: model', 'name: b, type: model'];
  const behaviours: Behaviours = {
    a: { run: () => ({ ok: false, error, report: { warnings: ['w'] } }) },
    b: { run: () => ({ ok: false, canceled: true, error }) },
  };
  await using flow = await madeFlow(nodes, behaviours);
  expect(await flow.runNode('a', {})).toMatchObject({ line: 0, status: 'Failed', error, warnings: ['w'] });
  expect(await flow.runNode('b', {})).toMatchObject({ status: 'Canceled', error });
  const text =
    'inputs: {p: {type: image}}\nnodes:\n- {name: a, type: model, source: {path: x.ts}, inputs: {p: "${inputs.p}"}}\n';
  await using pictures = await writtenFlow(text);
  expect(await pictures.runNode('a', { p: 'gone.png' })).toMatchObject({
    status: 'Failed',
    error: { code: 'LoadMultimediaDataError' },
  });
});

test('definitions say what nodes are made of: inputs, condition, effects, connection, keys', async () => {
  const nodes = [
    'name: a, type: model',
    'name: b, type: python, cache: false, api: chat, connection: mine, inputs: {n: 3, q: "${inputs.q}", a: "${a.output.x}"}, activate: {when: "${a.output.y}", is: 1}',
    'name: c, type: model, inputs: {to: mine}',
    'name: d, type: model, cache: true',
  ];
  const connection = {
    name: 'mine',
    type: 'open_ai',
    configs: { base_url: 'https://x' },
    secrets: { api_key: 'k-k-k-k-k-k-k' },
  };
  const connections = { find: (name: string) => (name === 'mine' ? connection : undefined), names: () => ['mine'] };
  const behaviours: Behaviours = {
    a: { effects: 'reads unseen' },
    c: { renderedParts: { template: 't' } },
    d: { effects: 'reads unseen' },
  };
  await using flow = await madeFlow(nodes, behaviours, { fingerprints: true, connections });
  const { a, b, c, d } = flow.definitions;
  expect(a).toEqual({ type: 'model 1', code: 'a', effects: 'reads unseen' });
  expect(b).toEqual({
    ...{
      type: 'python 1',
      code: 'b',
      api: 'chat',
      connection: expect.stringContaining('https://x'),
      'key cache': 'false',
      cache: 'false',
    },
    ...{
      'input n': '3',
      'input q': '${inputs.q}',
      'input a': '${a.output.x}',
      effects: 'writes',
      activate: '${a.output.y} is 1',
    },
  });
  expect(JSON.stringify(flow.definitions)).not.toContain('k-k-k');
  expect(c).toEqual({
    type: 'model 1',
    code: 'c',
    template: 't',
    'input to': 'mine',
    'connection to': b?.['connection'],
  });
  expect(d).toEqual({ type: 'model 1', code: 'd', 'key cache': 'true' });
  await using plain = await madeFlow(nodes, behaviours, { connections });
  expect(plain.definitions).toEqual({});
});

test('a tool of a package is part of a definition; a value that only resembles the name of a connection is not', async () => {
  const text = `nodes:
- {name: a, type: model, source: {type: package, tool: my.tool.run}, inputs: {to: 5, why: other}}
- {name: b, type: model, source: {type: code, path: x.ts}, inputs: {to: "5"}}
`;
  const connection = { name: '5', type: 'open_ai', configs: { base_url: 'https://x' }, secrets: {} };
  const connections = { find: (name: string) => (name === '5' ? connection : undefined), names: () => ['5'] };
  await using flow = await writtenFlow(text, {}, { fingerprints: true, connections });
  const { a, b } = flow.definitions;
  expect(a).toEqual({ type: 'model 1', code: 'a', tool: 'my.tool.run', 'input to': '5', 'input why': 'other' });
  expect(b).toMatchObject({ 'connection to': expect.stringContaining('https://x') });
});

test('nodes are told whether rows may run in threads: they are not, unless that is asked for', async () => {
  const told: (boolean | undefined)[] = [];
  const types = [...madeTypes()].map(([name, type]): [string, NodeType] => [
    name,
    {
      ...type,
      prepare: (definition, context) => {
        told.push(context.inThreads);
        return type.prepare(definition, context);
      },
    },
  ]);
  for (const asked of [{}, { inThreads: false }, { inThreads: true }]) {
    await using _ = await madeFlow(['name: a, type: model'], {}, { nodeTypes: new Map(types), ...asked });
  }
  expect(told).toEqual([false, false, true]);
});

test('a node that names no parts is made of its files', async () => {
  const files = { ...noFiles, read: (path: string) => ({ path, text: 'one' }) };
  const silent: Behaviours = { a: { parts: undefined as never } };
  const reading = new Map(
    [...madeTypes(silent)].map(([name, type]) => [
      name,
      { ...type, inspect: () => ({ diagnostics: [], takesAnyInput: true, files: ['x.ts'] }) },
    ]),
  );
  const madeWith = async (text: string): Promise<unknown> => {
    await using flow = await madeFlow(['name: a, type: model'], silent, {
      fingerprints: true,
      nodeTypes: reading,
      files: { ...files, read: (path: string) => ({ path, text }) },
    });
    return flow.definitions['a'];
  };
  const one = await madeWith('one');
  expect(Object.keys(one as object)).toContain('file x.ts');
  expect(await madeWith('one')).toEqual(one);
  expect(await madeWith('two')).not.toEqual(one);
});

test('arguments of a class that is the flow are secrets', async () => {
  const init = { key: 'sesame-sesame-sesame', n: 3 };
  await using flow = await madeFlow(['name: a, type: model'], { a: { output: 'sesame-sesame-sesame' } }, { init });
  expect((await flow.runRow({})).row.outputs['o']).not.toContain('sesame');
});
