import { expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { tracedWorld, treeOf } from './traced-world.ts';

const files = {
  'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: gpt-4o, q: "\${inputs.q}"}}
`,
  'f/ask.jinja2': '# user:\n{{q}}\n',
};
const answered = { message: { content: 'forty-two' } };
const trace = '0af7651916cd43dd8448eb211c80319c';
const given = { traceparent: `00-${trace}-b7ad6b7169203331-01`, tracestate: 'vendor=1' };

/** The address that `flow serve` tells. */
async function served(flow: ReturnType<typeof startFlow>): Promise<string> {
  let told = '';
  flow.child.stdout?.on('data', (piece: string) => {
    told += piece;
  });
  await flow.said('http://127.0.0.1');
  await flow.said('\n');
  return /http:\/\/\S+/.exec(told)?.[0] ?? '';
}

test('a served request goes on with the trace it is given; headers of the receiver are those of the variables', async () => {
  await using world = await tracedWorld(files, { replies: [answered, answered] });
  const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collect-me-9', OTEL_SERVICE_NAME: 'ours' };
  const argv = ['serve', 'f', '--port', '0', '--otlp', world.receiver.url];
  const flow = startFlow(argv, { folder: world.folder, environment });
  const url = await served(flow);
  const body = JSON.stringify({ q: 'what?' });
  const headers = { 'content-type': 'application/json' };
  const first = await fetch(`${url}/score`, { method: 'POST', headers: { ...headers, ...given }, body });
  expect(first.headers.get('x-flow-run')).toMatch(/\/0$/);
  const second = await fetch(`${url}/flows/f/runs`, { method: 'POST', headers, body });
  expect([first.status, second.status]).toEqual([200, 200]);
  flow.child.kill('SIGTERM');
  expect((await flow.ended).code).toBe(0);
  const { spans, problems } = world.receiver;
  expect(problems).toEqual([]);
  const ofGiven = spans.filter(({ traceId }) => traceId === trace);
  expect(treeOf(ofGiven, ['unroll.row.line'])).toBe('invoke_workflow f | line=0\n  ask\n    chat gpt-4o');
  expect(ofGiven.find(({ name }) => name === 'invoke_workflow f')?.parentSpanId).toBe('b7ad6b7169203331');
  const other = spans.filter(({ traceId }) => traceId !== trace);
  expect(treeOf(other, ['unroll.row.line'])).toBe('invoke_workflow f | line=1\n  ask\n    chat gpt-4o');
  const asked = world.model.requests.map(({ headers: told }) => String(told['traceparent']).split('-')[1]);
  expect(asked.sort()).toEqual([trace, other[0]?.traceId].sort());
  expect(new Set(spans.map(({ resource }) => resource['service.name']))).toEqual(new Set(['ours']));
  expect(new Set(world.receiver.headers.map((one) => one['x-key']))).toEqual(new Set(['collect-me-9']));
});

test('without a receiver a served request is handed on in the trace it came in, as it came', async () => {
  await using world = await tracedWorld(files, { replies: [answered] });
  const flow = startFlow(['serve', 'f', '--port', '0'], { folder: world.folder });
  const url = await served(flow);
  const headers = { 'content-type': 'application/json', ...given };
  await fetch(`${url}/score`, { method: 'POST', headers, body: '{"q": "what?"}' });
  flow.child.kill('SIGTERM');
  await flow.ended;
  expect(world.receiver.spans).toEqual([]);
  const { traceparent, tracestate } = world.model.requests[0]?.headers ?? {};
  expect({ traceparent, tracestate }).toEqual(given);
});

test.for([
  { argv: ['run', 'f', '-i', 'q=what?'], rows: 1 },
  { argv: ['run', 'f', '--data', 'q.jsonl'], rows: 2 },
  { argv: ['eval', 'e'], rows: 2 },
  { argv: ['chat', 'c'], rows: 1 },
])('flow $argv sends a trace a row', async ({ argv, rows }) => {
  const more = {
    'q.jsonl': '{"q": "one"}\n{"q": "two"}\n',
    'c/flow.dag.yaml': `inputs: {q: {type: string, is_chat_input: true}}
outputs: {a: {type: string, is_chat_output: true, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: gpt-4o, q: "\${inputs.q}"}}
`,
    'c/ask.jinja2': '# user:\n{{q}}\n',
    'e/eval.yaml':
      'flow: ../f\ndata: ../q.jsonl\nmetrics:\n  - {name: right, on: outputs.a, evaluator: contains, expected: forty}\n',
  };
  await using world = await tracedWorld({ ...files, ...more }, { replies: [answered, answered] });
  const flow = startFlow([...argv, '--otlp', world.receiver.url], { folder: world.folder, stdin: 'hello\n' });
  const { code, stderr } = await flow.ended;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(world.receiver.spans.filter(({ name }) => name.startsWith('invoke_workflow'))).toHaveLength(rows);
  expect(world.receiver.spans.filter(({ name }) => name === 'chat gpt-4o')).toHaveLength(rows);
});

test.for([
  { otlp: 'localhost:4318', says: '--otlp takes the http address of a receiver, not "localhost:4318"' },
  { otlp: 'grpc://localhost:4317', says: '--otlp takes the http address of a receiver, not "grpc://localhost:4317"' },
])('--otlp $otlp is a mistake of the command line', async ({ otlp, says }) => {
  await using world = await tracedWorld(files);
  const { code, stderr } = await startFlow(['run', 'f', '-i', 'q=1', '--otlp', otlp], { folder: world.folder }).ended;
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
});
