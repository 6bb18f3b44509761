import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Connection,
  formatDiagnostics,
  type JsonObject,
  type OpenedFlow,
  openFlow,
  parseFlow,
  stringifyFlow,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';

/** A writer that looks things up, and a reader that sends its text back once. */
const flow = `
inputs: {topic: {type: string}}
outputs: {text: {type: string, reference: "\${review.output.answer}"}, status: {type: string, reference: "\${review.output.status}"}}
nodes:
  - {name: begin, type: python, source: {type: code, path: begin.ts}, inputs: {topic: "\${inputs.topic}"}}
loops:
  - name: review
    times: 3
    state: \${begin.output}
    nodes:
      - name: writer
        type: agent
        source: {type: code, path: writer.jinja2}
        connection: model
        tools: [{name: look_up, description: d, code: tools.ts, parameters: {type: object, properties: {q: {type: string}}}}]
        max_iterations: 2
        inputs: {model: gpt, query: "\${loop.state.request}"}
      - name: reader
        type: python
        source: {type: code, path: reader.ts}
        inputs: {state: "\${loop.state}", draft: "\${writer.output}"}
`;

const files = {
  'begin.ts': 'export default ({ topic }) => ({ finished: false, request: `on ${topic}` });',
  'reader.ts': [
    'export default ({ state, draft }) => {',
    '  if (draft === null) return state;',
    "  if (draft.answer?.includes('bees')) return { finished: true, content: draft.answer };",
    '  return { finished: false, request: `again, with bees: ${draft.status}` };',
    '};',
  ].join('\n'),
  'tools.ts': 'export const look_up = ({ q }) => `found ${q}`;',
  'writer.jinja2': 'system:\nYou write.\n\nuser:\n{{ query }}\n',
};

async function inFolder<T>(text: string, use: (opened: OpenedFlow) => Promise<T>, model?: Connection): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-in-loop-'));
  const file = join(folder, 'flow.dag.yaml');
  for (const [name, content] of Object.entries({ ...files, 'flow.dag.yaml': text }))
    writeFileSync(join(folder, name), content);
  const connections = { find: () => model, names: () => ['model'] };
  try {
    return await use(
      await openFlow({ file, folder }, { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(replies: readonly ServerReply[], text = flow) {
  await using server = await startOpenAiServer(replies);
  const model = {
    name: 'model',
    type: 'open_ai',
    configs: { base_url: `${server.url}/v1` },
    secrets: { api_key: 'sk-never-recorded' },
  };
  return await inFolder(
    text,
    async ({ flow: opened, diagnostics, loadError }) => {
      if (opened === undefined) throw new Error(JSON.stringify(loadError) ?? formatDiagnostics(diagnostics));
      await using running = opened;
      const { row, nodes } = await running.runRow({ topic: 'honey' });
      const asked = server.requests.map(
        ({ body }) => ((body as JsonObject)['messages'] as readonly JsonObject[])[1]?.['content'],
      );
      return { row, plan: running.plan, asked, nodes: new Map(nodes.map((node) => [node.node, node])) };
    },
    model,
  );
}

const says = (content: string): ServerReply => ({ message: { content } });
const looksUp = (q: string): ServerReply => ({
  message: {
    content: null,
    tool_calls: [{ id: `c-${q}`, type: 'function', function: { name: 'look_up', arguments: JSON.stringify({ q }) } }],
  },
});

test('each iteration has an agent of its own, and one that is not needed is bypassed', async () => {
  const { row, nodes, asked, plan } = await run([looksUp('a'), says('Honey.'), looksUp('b'), says('Honey and bees.')]);
  expect(row).toMatchObject({ status: 'Completed', outputs: { text: 'Honey and bees.', status: 'answered' } });
  expect(row.unfinished).toBeUndefined();
  expect(asked).toEqual(['on honey', 'on honey', 'again, with bees: answered', 'again, with bees: answered']);
  const statuses = [...nodes].map(([name, { status }]) => `${name} ${status}`);
  expect(statuses.filter((text) => text.startsWith('writer_2'))).toEqual([
    'writer_2_start Completed',
    'writer_2_plan_1 Completed',
    'writer_2_act_1 Completed',
    'writer_2_plan_2 Completed',
    'writer_2_act_2 Completed',
    'writer_2 Completed',
  ]);
  expect(statuses.filter((text) => text.startsWith('writer_3')).every((text) => text.endsWith('Bypassed'))).toBe(true);
  expect(nodes.get('writer_1')?.output).toMatchObject({
    status: 'answered',
    function_results: [{ content: ['found a'] }],
  });
  expect(plan.loops.map(({ name, times, families }) => [name, times, families])).toEqual([
    ['writer_1', 2, ['writer_1_plan', 'writer_1_act']],
    ['writer_2', 2, ['writer_2_plan', 'writer_2_act']],
    ['writer_3', 2, ['writer_3_plan', 'writer_3_act']],
    ['review', 3, ['writer_start', 'writer', 'reader']],
  ]);
});

test('an agent that did not finish is a matter of its loop', async () => {
  const { row, asked } = await run([looksUp('a'), looksUp('b'), says('Bees: bees.')]);
  expect(row).toMatchObject({ status: 'Completed', outputs: { status: 'answered' } });
  expect(row.unfinished).toBeUndefined();
  expect(asked.at(-1)).toBe('again, with bees: unfinished');
});

test('the budget of the loop counts what its agents spend', async () => {
  const text = flow.replace('    times: 3\n', '    times: 3\n    budget: {tokens: 1}\n');
  const { row, asked } = await run([says('Honey.'), says('not asked for')], text);
  expect(row).toMatchObject({ outputs: { status: 'unfinished' }, unfinished: ['review'] });
  expect(asked).toEqual(['on honey']);
});

test('an agent may answer at the bound', async () => {
  const text = flow
    .replace('    times: 3\n', '    times: 1\n    on_exhausted: finalize\n')
    .concat(
      '    finalize:\n      {name: closing, type: agent, source: {type: code, path: writer.jinja2}, connection: model, tools: [], ',
      'max_iterations: 1, inputs: {model: gpt, query: "${loop.state.request}"}}\n',
    );
  const { row, nodes } = await run([says('Honey.'), says('closing words')], text);
  expect(nodes.get('closing')?.output).toMatchObject({ status: 'answered', answer: 'closing words' });
  expect(row.outputs).toMatchObject({ status: 'unfinished', text: { answer: 'closing words' } });
});

test('written out it is a plain flow, which means the same again', () => {
  const types = { nodeTypes: [...nodeTypes({ extensions: [promptFlow()] }).values()] };
  const { spec } = parseFlow({ path: 'flow.dag.yaml', text: flow.replace('times: 3', 'times: 2') }, types);
  if (spec === undefined) throw new Error('bug: no spec');
  const expanded = stringifyFlow(spec);
  expect(expanded.match(/^ {2}(?:# .*|- name: \w+)/gm)?.map((line) => line.trim())).toEqual([
    '- name: begin',
    '# review: iteration 1 of 2',
    '- name: writer_1_start',
    '- name: reader_1',
    '# review: iteration 2 of 2',
    '- name: writer_2_start',
    '- name: reader_2',
    '# review: the result',
    '- name: review',
    '# writer_1: iteration 1 of 2',
    '- name: writer_1_plan_1',
    '- name: writer_1_act_1',
    '# writer_1: iteration 2 of 2',
    '- name: writer_1_plan_2',
    '- name: writer_1_act_2',
    '# writer_1: the result',
    '- name: writer_1',
    '# writer_2: iteration 1 of 2',
    '- name: writer_2_plan_1',
    '- name: writer_2_act_1',
    '# writer_2: iteration 2 of 2',
    '- name: writer_2_plan_2',
    '- name: writer_2_act_2',
    '# writer_2: the result',
    '- name: writer_2',
  ]);
  const again = parseFlow({ path: 'flow.dag.yaml', text: expanded }, types);
  expect(again.diagnostics).toEqual([]);
  const plain = (text: string): string => text.replaceAll(/^ *(?:#.*)?\n/gm, '');
  expect(plain(stringifyFlow(again.spec ?? spec))).toBe(plain(expanded));
});

test.for<[string, (text: string) => string, readonly string[]]>([
  [
    'as the last node',
    (text) =>
      text
        .slice(0, text.indexOf('      - name: reader'))
        .replace('query: "${loop.state.request}"', 'query: "${loop.state}"'),
    ['FLOW_AGENT agent "writer" is the last node of loop "review", which gives the next state'],
  ],
  [
    'with a wrong value, told once',
    (text) => text.replace('max_iterations: 2', 'max_iterations: many'),
    ['FLOW_WRONG_VALUE "max_iterations" of agent "writer" must be a whole number from 0 to 100, not "many"'],
  ],
  [
    'where a name is taken',
    (text) =>
      text.replace('name: begin,', 'name: writer_2_plan_1,').replace('${begin.output}', '${writer_2_plan_1.output}'),
    ['FLOW_LOOP_NAME_TAKEN'],
  ],
])('mistakes: %s', async ([, change, told]) => {
  await inFolder(change(flow), async ({ diagnostics, flow: opened }) => {
    await opened?.[Symbol.asyncDispose]();
    const found = diagnostics.map(({ code, message }) => `${code} ${message}`);
    for (const one of told) expect(found.filter((text) => text.startsWith(one))).toHaveLength(1);
  });
});
