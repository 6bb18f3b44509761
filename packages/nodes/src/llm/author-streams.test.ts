// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, checkFlow, createFlowFiles, prepareFlow } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-author-stream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'p.jinja2'), 'user:\nhi\n');
writeFileSync(
  join(folder, 'read.py'),
  'from promptflow.core import tool\n\n@tool\ndef read(x):\n    return [type(x).__name__, "".join(x)]\n',
);

writeFileSync(
  join(folder, 'state.py'),
  'from promptflow.core import tool\n\n@tool\ndef state(x):\n    return {"done": True}\n',
);

const functions = [{ name: 'f', parameters: { type: 'object', properties: {} } }];
const tools = functions.map((one) => ({ type: 'function', function: one }));
const loop = `
loops:
- name: l
  state: \${s.output}
  times: 1
  until: done
  nodes: [{name: f, type: python, source: {type: code, path: state.py}, inputs: {x: "\${loop.state}"}}]
`;

/** A node that streams what the service replies, in a Prompt flow flow or in one with a loop. */
async function run(inputs: object, message: Readonly<Record<string, unknown>>, { ours = false, readBy = '' } = {}) {
  await using server = await startOpenAiServer([{ message }]);
  const configs = { api_base: server.url, api_version: '2024-02-01' };
  const connection: Connection = { name: 'c', type: 'azure_open_ai', configs, secrets: { api_key: 'k' } };
  const options = {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    files: createFlowFiles(folder, folder),
    connections: { find: () => connection, names: () => ['c'] },
  };
  const nodes = [
    {
      name: 'n',
      type: 'llm',
      source: { type: 'code', path: 'p.jinja2' },
      connection: 'c',
      api: 'chat',
      inputs: { deployment_name: 'd', stream: true, ...inputs },
    },
    ...(ours ? [{ name: 's', type: 'python', source: { type: 'code', path: 'state.py' }, inputs: { x: 'a' } }] : []),
    ...(readBy === ''
      ? []
      : [{ name: 'r', type: 'python', source: { type: 'code', path: readBy }, inputs: { x: '${n.output}' } }]),
  ];
  const read = readBy === '' ? 'n' : 'r';
  const outputs = { o: { type: 'string', reference: `\${${read}.output}` } };
  const text = `outputs: ${JSON.stringify(outputs)}\nnodes: ${JSON.stringify(nodes)}\n${ours ? loop : ''}`;
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, options);
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  const prepared = await prepareFlow(plan, options);
  if (!prepared.ok) throw new Error(prepared.error.message);
  await using flow = prepared.flow;
  const { row } = await flow.runRow({});
  return row.error === undefined ? row.outputs['o'] : `${row.error.code}: ${row.error.message}`;
}

const call = { content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] };

test.for([
  {
    name: 'functions are refused',
    inputs: { functions },
    message: { content: 'a' },
    gives: 'FunctionCallNotSupportedInStreamMode: Function calling has not been supported by stream mode yet.',
  },
  { name: 'with tools the text is the output', inputs: { tools }, message: { content: 'a b' }, gives: 'a b' },
])('in a Prompt flow flow, $name', async ({ inputs, message, gives }) => {
  expect(await run(inputs, message)).toBe(gives);
});

test('a call of a tool is never lost', async () => {
  expect(await run({ tools }, call)).toMatchObject(call);
});

test('a flow of ours gets calls of functions too', async () => {
  expect(await run({ functions }, { content: 'a' }, { ours: true })).toMatchObject({ content: 'a' });
});

test('Python reads a stream as a generator', async () => {
  expect(await run({}, { content: 'some text' }, { readBy: 'read.py' })).toEqual(['TracedIterator', 'some text']);
});
