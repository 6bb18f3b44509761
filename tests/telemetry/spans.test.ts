import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@unroll/engine';
import type { ServerReply } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { modelKey, tracedWorld, treeOf } from './traced-world.ts';

const answered: ServerReply = { message: { content: 'forty-two' } };
const busy: ServerReply = { status: 429, headers: { 'retry-after-ms': '1' } };

const inputs = 'inputs: {q: {type: string}}\n';
const ask = '{name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, ';
const prompt = '# user:\n{{q}}\n';
const asking = { 'ask.jinja2': prompt };
const upper = 'export function upper({ q }: { q: string }) { return q.toUpperCase(); }\n';

interface Case {
  readonly what: string;
  readonly flow: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly replies?: readonly ServerReply[];
  /** Told of each span beside its name. */
  readonly keys?: readonly string[];
  readonly tree: string;
}

const cases: readonly Case[] = [
  {
    what: 'a prompt and code: a span each, in their flow',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${shout.output}"}}
nodes:
- {name: fill, type: prompt, source: {type: code, path: ask.jinja2}, inputs: {q: "\${inputs.q}"}}
- {name: shout, type: python, source: {type: code, path: upper.ts}, inputs: {q: "\${fill.output}"}}
`,
    files: { ...asking, 'upper.ts': upper },
    keys: ['gen_ai.operation.name', 'unroll.node.type', 'unroll.node.status', 'unroll.row.status', 'unroll.row.line'],
    tree: `invoke_workflow f | name=invoke_workflow | status=Completed | line=0
  fill | type=prompt | status=Completed
  shout | type=python | status=Completed`,
  },
  {
    what: 'a chat: who answers, what was asked for, why it ended, tokens',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- ${ask}inputs: {model: gpt-4o, temperature: 0.5, max_tokens: 7, q: "\${inputs.q}"}}
`,
    files: asking,
    replies: [answered],
    keys: [
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'gen_ai.response.model',
      'gen_ai.request.temperature',
      'gen_ai.request.max_tokens',
      'gen_ai.response.finish_reasons',
      'gen_ai.response.id',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'server.address',
      'gen_ai.input.messages',
      'gen_ai.output.messages',
    ],
    tree: `invoke_workflow f | name=invoke_workflow
  ask
    chat gpt-4o | name=chat | name=openai | model=gpt-4o | model=gpt-4o | temperature=0.5 | max_tokens=7 | finish_reasons=stop | id=chatcmpl-1 | input_tokens=10 | output_tokens=5 | address=127.0.0.1`,
  },
  {
    what: 'a completion, and texts that are embedded',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, source: {type: code, path: plain.jinja2}, connection: mine, api: completion, inputs: {model: small, q: "\${inputs.q}"}}
- {name: embed, type: python, source: {type: package, tool: promptflow.tools.embedding.embedding}, inputs: {connection: mine, model: tiny, input: "\${ask.output}"}}
`,
    files: { 'plain.jinja2': '{{q}}' },
    replies: [answered, {}],
    keys: ['gen_ai.operation.name', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'],
    tree: `invoke_workflow f | name=invoke_workflow
  ask
    text_completion small | name=text_completion | input_tokens=10 | output_tokens=5
  embed
    embeddings tiny | name=embeddings | input_tokens=3 | output_tokens=0`,
  },
  {
    what: 'tries of a call: each a span below it, the last one answered',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- ${ask}retry: {times: 3, wait_seconds: 0.001}, inputs: {model: gpt-4o, q: "\${inputs.q}"}}
`,
    files: asking,
    replies: [busy, busy, answered],
    keys: ['unroll.model.tries', 'unroll.model.try', 'error.type', 'http.response.status_code'],
    tree: `invoke_workflow f
  ask
    chat gpt-4o | tries=3
      try 1 of chat gpt-4o | try=1 | type=RateLimitError | status_code=429 | failed: OpenAI API hits RateLimitError: Error code: 429 - scripted failure [Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]
      try 2 of chat gpt-4o | try=2 | type=RateLimitError | status_code=429 | failed: OpenAI API hits RateLimitError: Error code: 429 - scripted failure [Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]
      try 3 of chat gpt-4o | try=3`,
  },
  {
    what: 'a node that fails, and the flow with it; what comes after has no span',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${after.output}"}}
nodes:
- {name: break, type: python, source: {type: code, path: break.ts}, inputs: {q: "\${inputs.q}"}}
- {name: after, type: python, source: {type: code, path: upper.ts}, inputs: {q: "\${break.output}"}}
`,
    files: {
      'upper.ts': upper,
      'break.ts':
        "export function broken() { throw new RangeError('no way', { cause: new TypeError('too deep') }); }\n",
    },
    keys: ['error.type', 'unroll.node.status', 'unroll.row.status'],
    tree: `invoke_workflow f | type=ToolExecutionError | status=Failed | failed: Execution failure in 'break': (RangeError) no way — from TypeError: too deep
  break | type=ToolExecutionError | status=Failed | failed: Execution failure in 'break': (RangeError) no way — from TypeError: too deep`,
  },
  {
    what: 'a node that a condition bypasses',
    flow: `${inputs}outputs: {a: {type: string, reference: "\${maybe.output}"}}
nodes:
- {name: maybe, type: python, source: {type: code, path: upper.ts}, activate: {when: "\${inputs.q}", is: never}, inputs: {q: "\${inputs.q}"}}
`,
    files: { 'upper.ts': upper },
    keys: ['unroll.node.status'],
    tree: `invoke_workflow f
  maybe | status=Bypassed`,
  },
];

test.for(cases)('$what', async ({ flow, files, replies, keys, tree }) => {
  const own = Object.entries({ 'flow.dag.yaml': flow, ...files }).map(([path, text]) => [`f/${path}`, text]);
  await using world = await tracedWorld(Object.fromEntries(own), replies === undefined ? {} : { replies });
  await world.project.runRow('f', { q: 'what?' }).result;
  expect(treeOf(world.receiver.spans, keys)).toBe(tree);
  expect({ problems: world.receiver.problems, warnings: world.warnings }).toEqual({ problems: [], warnings: [] });
});

const chatFlow = {
  'f/flow.dag.yaml': `${inputs}outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- ${ask}inputs: {model: gpt-4o, q: "\${inputs.q}"}}
`,
  'f/ask.jinja2': prompt,
};

test('the trace of a call goes to the model with it, and one that the process was started in is gone on with', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const environment = { TRACEPARENT: `00-${trace}-b7ad6b7169203331-01`, TRACESTATE: 'vendor=1' };
  await using world = await tracedWorld(chatFlow, { replies: [answered], environment });
  await world.project.runRow('f', { q: 'what?' }).result;
  const { spans } = world.receiver;
  expect(spans.map(({ traceId, traceState }) => [traceId, traceState])).toEqual(spans.map(() => [trace, 'vendor=1']));
  expect(spans.find(({ name }) => name === 'invoke_workflow f')?.parentSpanId).toBe('b7ad6b7169203331');
  const call = spans.find(({ name }) => name === 'chat gpt-4o');
  const { traceparent, tracestate } = world.model.requests[0]?.headers ?? {};
  expect({ traceparent, tracestate }).toEqual({
    traceparent: `00-${trace}-${call?.spanId}-01`,
    tracestate: 'vendor=1',
  });
});

test('a trace that its beginner does not sample is not sent, and is handed on as such', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const environment = { TRACEPARENT: `00-${trace}-b7ad6b7169203331-00` };
  await using world = await tracedWorld(chatFlow, { replies: [answered], environment });
  await world.project.runRow('f', { q: 'what?' }).result;
  expect(world.receiver.spans).toEqual([]);
  expect(String(world.model.requests[0]?.headers['traceparent'])).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
});

test('time and tokens of operations, in the buckets of the conventions', async () => {
  const failure: ServerReply = { status: 400, error: { message: 'no', type: 'invalid_request_error', code: null } };
  await using world = await tracedWorld(chatFlow, { replies: [answered, failure] });
  writeFileSync(join(world.folder, 'q.jsonl'), '{"q": "one"}\n{"q": "two"}\n');
  await world.project.runDataset('f', { data: 'q.jsonl', concurrency: 1 }).result;
  const told = world.receiver.points.map(({ metric, unit, count, attributes }) => ({
    metric,
    unit,
    count,
    attributes,
  }));
  const about = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-4o' };
  const place = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(world.model.url).port) };
  const duration = { metric: 'gen_ai.client.operation.duration', unit: 's', count: 1 };
  const tokens = { metric: 'gen_ai.client.token.usage', unit: '{token}', count: 1 };
  const workflow = { metric: 'gen_ai.workflow.duration', unit: 's', count: 1 };
  const flow = { 'gen_ai.workflow.name': 'f' };
  expect(told).toEqual([
    { ...duration, attributes: { ...about, ...place } },
    { ...duration, attributes: { ...about, ...place, 'error.type': 'BadRequestError' } },
    { ...workflow, attributes: flow },
    { ...workflow, attributes: { ...flow, 'error.type': 'BadRequestError' } },
    { ...tokens, attributes: { ...about, ...place, 'gen_ai.token.type': 'input' } },
    { ...tokens, attributes: { ...about, ...place, 'gen_ai.token.type': 'output' } },
  ]);
  const [time] = world.receiver.points;
  expect([time?.bounds[0], time?.bounds.at(-1)]).toEqual([0.01, 81.92]);
});

const captured = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

test('prompts and answers only where they are asked for', async () => {
  for (const [environment, isReported] of [
    [captured, true],
    [{}, false],
  ] as const) {
    await using world = await tracedWorld(chatFlow, { replies: [answered], environment });
    await world.project.runRow('f', { q: 'how many roads?' }).result;
    const all = Buffer.concat(world.receiver.bytes).toString('utf8');
    expect([all.includes('how many roads?'), all.includes('forty-two')]).toEqual([isReported, isReported]);
    if (!isReported) continue;
    const { attributes } = world.receiver.spans.find(({ name }) => name === 'chat gpt-4o') ?? {};
    const message = (key: string): unknown => JSON.parse(String(attributes?.[key]));
    expect(message('gen_ai.input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'how many roads?' }] },
    ]);
    expect(message('gen_ai.output.messages')).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'forty-two' }], finish_reason: 'stop' },
    ]);
  }
});

test('no secret is in anything that is sent: in prompts, answers, inputs, errors', async () => {
  const files = {
    ...chatFlow,
    'f/flow.dag.yaml': `inputs: {q: {type: string}, token: {type: secret}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- ${ask}inputs: {model: gpt-4o, q: "\${inputs.q}"}}
- {name: fail, type: python, source: {type: code, path: fail.ts}, inputs: {a: "\${ask.output}", token: "\${inputs.token}"}}
`,
    'f/fail.ts': 'export function fail({ a, token }: { a: string, token: string }) { throw new Error(a + token); }\n',
  };
  const environment = { ...captured, MY_API_KEY: 'sk-environment-0987654321' };
  const replies = [{ message: { content: `it is ${modelKey}` } }];
  await using world = await tracedWorld(files, { environment, replies });
  const given = { q: `${modelKey} sk-environment-0987654321`, token: 'hush-hush-9876543210' };
  const { row } = await world.project.runRow('f', given).result;
  expect(row.status).toBe('Failed');
  expect(world.receiver.spans.map(({ name }) => name)).toContain('fail');
  const all = Buffer.concat(world.receiver.bytes).toString('utf8');
  expect(all).toContain('gen_ai.input.messages');
  for (const secret of [modelKey, 'sk-environment-0987654321', 'hush-hush-9876543210'])
    expect(all).not.toContain(secret);
});

test('an output of an earlier run, and an answer of a cassette, are told apart from asking', async () => {
  await using world = await tracedWorld(chatFlow, { replies: [answered] });
  const { record } = await world.project.runRow('f', { q: 'a' }, { cassette: { record: 'c.yaml' } }).result;
  const keys = ['unroll.node.cache', 'unroll.node.cached_from', 'unroll.model.replayed'];
  const after = async (settings: object): Promise<string> => {
    const before = world.receiver.spans.length;
    await world.project.runRow('f', { q: 'a' }, settings).result;
    return treeOf(world.receiver.spans.slice(before), keys);
  };
  expect(await after({ since: record?.id })).toBe(`invoke_workflow f\n  ask | cache=hit | cached_from=${record?.id}`);
  expect(await after({ cassette: { replay: 'c.yaml' } })).toBe(
    'invoke_workflow f\n  ask\n    chat gpt-4o | replayed=true',
  );
  // What was replayed took nobody's time and no tokens.
  expect(world.receiver.points.map(({ metric }) => metric)).toEqual(['gen_ai.workflow.duration']);
});

const twoSteps = {
  'f/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {a: {type: int, reference: "\${two.output}"}}
nodes:
- {name: one, type: python, source: {type: code, path: one.ts}, inputs: {n: "\${inputs.n}"}}
- {name: two, type: python, source: {type: code, path: two.ts}, inputs: {n: "\${one.output}"}}
- {name: sum, type: python, source: {type: code, path: sum.ts}, inputs: {all: "\${two.output}"}, aggregation: true}
`,
  'f/one.ts': 'export function one({ n }: { n: number }) { return n; }\n',
  'f/two.ts': `import { existsSync } from 'node:fs';
import { join } from 'node:path';
export function two({ n }: { n: number }) {
  if (n === 2 && !existsSync(join(import.meta.dirname, 'mended'))) throw new Error('not yet');
  return n;
}
`,
  'f/sum.ts': 'export function sum({ all }: { all: number[] }) { return all.length; }\n',
  'n.jsonl': '{"n": 1}\n{"n": 2}\n',
};

test('a row that goes on: what an earlier attempt gave is told as such; the nodes over all rows are a trace of their own', async () => {
  await using world = await tracedWorld(twoSteps);
  const keys = ['unroll.row.line', 'unroll.node.resumed', 'unroll.node.status', 'unroll.flow.part'];
  await world.project.runDataset('f', { data: 'n.jsonl', name: 'run', concurrency: 1 }).result;
  const first = treeOf(world.receiver.spans, keys);
  expect(first).toBe(`invoke_workflow f | line=0
  one | status=Completed
  two | status=Completed
invoke_workflow f | line=1 | failed: Execution failure in 'two': (Error) not yet
  one | status=Completed
  two | status=Failed | failed: Execution failure in 'two': (Error) not yet
invoke_workflow f | part=aggregation
  sum | status=Completed`);
  expect(new Set(world.receiver.spans.map(({ traceId }) => traceId)).size).toBe(3);
  writeFileSync(join(world.folder, 'f/mended'), '');
  const before = world.receiver.spans.length;
  await world.project.retryFailed('run').result;
  expect(treeOf(world.receiver.spans.slice(before), keys)).toBe(`invoke_workflow f | line=1
  one | resumed=true | status=Completed
  two | status=Completed
invoke_workflow f | part=aggregation
  sum | status=Completed`);
});

test('a node that runs alone', async () => {
  await using world = await tracedWorld(twoSteps);
  await world.project.runNode('f', { node: 'one', inputs: { n: 3 } }).result;
  expect(treeOf(world.receiver.spans, ['unroll.flow.part'])).toBe('invoke_workflow f | part=node\n  one');
});

test('agents side by side: each call stands below the node of its own row, whatever ran at the same time', async () => {
  await using world = await tracedWorld({});
  const data = join(import.meta.dirname, '../../flows/tool-agent/data.jsonl');
  const flow = join(import.meta.dirname, '../../flows/tool-agent');
  const keys = [
    'unroll.row.line',
    'gen_ai.tool.name',
    'gen_ai.agent.name',
    'unroll.loop.status',
    'unroll.loop.bypassed',
  ];
  const traced = async (concurrency: number): Promise<readonly string[]> => {
    const before = world.receiver.spans.length;
    await world.project.runDataset(flow, { data, concurrency }).result;
    const spans = world.receiver.spans.slice(before);
    const traces = [...new Set(spans.map(({ traceId }) => traceId))];
    return traces
      .map((id) =>
        treeOf(
          spans.filter(({ traceId }) => traceId === id),
          keys,
        ),
      )
      .sort();
  };
  const alone = await traced(1);
  expect(await traced(8)).toEqual(alone);
  expect(alone[0]).toMatch(
    /^invoke_workflow tool_agent \| line=0\n {2}assistant_start\n {2}invoke_agent assistant \| name=assistant \| status=/,
  );
  expect(alone.join('\n')).toMatch(/\n {4}assistant_plan_1\n {6}chat offline\n {4}assistant_act_1\n {6}execute_tool /);
});

test('a receiver that refuses is told of once, and the run is what it is without', async () => {
  await using world = await tracedWorld(twoSteps, { refuse: 403 });
  const first = (await world.project.runRow('f', { n: 1 }).result).row.outputs as JsonObject;
  await world.project.runRow('f', { n: 1 }).result;
  expect(first).toEqual({ a: 1 });
  const place = world.receiver.url;
  expect(world.warnings).toHaveLength(1);
  expect(world.warnings[0]).toContain(place);
});

test('nobody listens: told once, and the run ends', async () => {
  let url: string;
  {
    await using closed = await tracedWorld({});
    url = closed.receiver.url;
  }
  await using world = await tracedWorld(twoSteps, { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
  const { row } = await world.project.runRow('f', { n: 1 }).result;
  expect(row.status).toBe('Completed');
  expect(world.warnings).toEqual([
    `5 spans did not reach ${url}/v1/traces: nothing listens there, or it is too busy to take them; what comes after is not told again`,
  ]);
});
