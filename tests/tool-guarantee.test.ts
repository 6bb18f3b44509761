import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NodeRun, openFlow, type RunnableFlow, type Value, type Values } from '@unroll/engine';
import { nodeTypes, scriptedService } from '@unroll/nodes';
import { nameTools, printCatalogue, readTools } from '@unroll/nodes/tool-catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileNames } from './house/hostile-names.ts';

/**
 * Whatever a model says, no tool outside of the catalogue is called: a flow looks tools up, lets the model choose, checks,
 * asks once more, and calls. The tools of this world are the catalogue's names; every execution is counted.
 */
const owners = ['Shop', 'News', 'Weather', 'Maps', 'Bank'];
const verbs = ['search', 'get', 'list', 'cancel', 'Get', '在庫を調べる'];
const lines = owners.flatMap((owner) =>
  verbs.map((verb) =>
    JSON.stringify({
      tool: owner,
      api: `${verb} item`,
      description: `${verb} items of ${owner}`,
      parameters: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
    }),
  ),
);
const catalogue = nameTools(readTools({ path: 'tools.jsonl', text: lines.join('\n') }).tools).tools;
const names = catalogue.map(({ name }) => name);

const flowText = `
inputs:
  query: { type: string }
outputs:
  status: { type: string, reference: "\${execute.output.status}" }
nodes:
  - { name: find, type: tool_lookup, catalogue: all.tools, top_k: 10, inputs: { query: "\${inputs.query}" } }
  - name: choose
    type: llm
    source: { type: code, path: choose.jinja2 }
    connection: model
    api: chat
    inputs: { model: m, query: "\${inputs.query}", told: "", tools: "\${find.output.tools}" }
  - name: call
    type: tool_call
    catalogue: all.tools
    inputs: { message: "\${choose.output}", offered: "\${find.output.ids}" }
  - name: repair
    type: llm
    source: { type: code, path: choose.jinja2 }
    connection: model
    api: chat
    activate: { when: "\${call.output.ok}", is: false }
    inputs: { model: m, query: "\${inputs.query}", told: "\${call.output.repair}", tools: "\${find.output.tools}" }
  - name: call_again
    type: tool_call
    catalogue: all.tools
    on_refused: fail
    activate: { when: "\${call.output.ok}", is: false }
    inputs: { message: "\${repair.output}", offered: "\${find.output.ids}" }
  - name: execute
    type: python
    source: { type: code, path: execute.ts }
    inputs: { first: "\${call.output}", second: "\${call_again.output}" }
`;
const template = '# user:\n{{query}}\n{{told}}\n';
const code = `
const executed: string[] = ((globalThis as never as { executedTools: string[] }).executedTools ??= []);
type Call = { name: string };
export default ({ first, second }: { first: { ok: boolean; calls: Call[] }; second: { calls: Call[] } | null }) => {
  const calls = first.ok ? first.calls : second?.calls ?? [];
  for (const { name } of calls) executed.push(name);
  return { status: calls.length > 0 ? 'called' : 'nothing' };
};
`;

const executed = (): string[] => (globalThis as unknown as { executedTools?: string[] }).executedTools ?? [];
let folder: string;
let flow: RunnableFlow;
let say: (round: number) => Value = () => null;
let round = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guarantee-'));
  writeFileSync(join(folder, 'flow.dag.yaml'), flowText);
  writeFileSync(join(folder, 'choose.jinja2'), template);
  writeFileSync(join(folder, 'execute.ts'), code);
  writeFileSync(join(folder, 'all.tools'), printCatalogue(catalogue));
  const model = {
    ...scriptedService([]),
    call: async () => ({ ok: true as const, reply: { body: say(round++) } }),
  };
  const connection = { name: 'model', type: 'open_ai', configs: {}, secrets: {} };
  const opened = await openFlow(
    { file: join(folder, 'flow.dag.yaml'), folder },
    {
      nodeTypes: nodeTypes({ openService: async () => model }),
      connections: { find: () => connection, names: () => ['model'] },
    },
  );
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.diagnostics.map(({ message }) => message)));
  flow = opened.flow;
});

afterAll(async () => {
  await flow?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function runSaying(said: (round: number) => Value): Promise<Readonly<Record<string, NodeRun>>> {
  say = said;
  round = 0;
  executed().length = 0;
  const { nodes } = await flow.runRow({ query: 'get an item of the Shop, then news, weather, maps and the bank' });
  return Object.fromEntries(nodes.map((run) => [run.node, run]));
}

/** Output of a node; an empty one where it gave none. */
function outputOf(run: NodeRun | undefined): Values {
  return (run?.output ?? {}) as Values;
}

function calling(name: Value, given: Value = '{"id":"1"}'): Value {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: given } }],
  };
}

const wrong = hostileNames(names);

test('1,000 names that are none: none is executed, each is refused twice and recorded with its reason', async () => {
  for (const name of wrong) {
    const { call, call_again: again, execute } = await runSaying(() => calling(name));
    const { ok, calls, refusals } = outputOf(call) as unknown as { ok: boolean; calls: unknown[]; refusals: Values[] };
    expect({ name, ok, calls }).toEqual({ name, ok: false, calls: [] });
    expect(refusals).toMatchObject([{ name, reason: 'no_such_tool' }]);
    expect(again).toMatchObject({ status: 'Failed', error: { code: 'ToolCallRefused' } });
    expect(execute?.status).toBe('NotRun');
    expect(executed()).toEqual([]);
  }
}, 120_000);

test('a tool of the catalogue that was not offered is not called either', async () => {
  const { find } = await runSaying(() => calling('x'));
  const offered = outputOf(find)['ids'] as readonly string[];
  const other = names.find((name) => !offered.includes(name)) ?? '';
  const { call } = await runSaying(() => calling(other));
  expect(outputOf(call)['refusals']).toMatchObject([{ name: other, reason: 'not_offered' }]);
  expect(executed()).toEqual([]);
});

test('the repair turn is asked once, and what it mends is called; one wrong call among right ones stops them all', async () => {
  const { find } = await runSaying(() => calling('x'));
  const [name = ''] = outputOf(find)['ids'] as readonly string[];
  const mended = await runSaying((at) => calling(at === 0 ? name.toUpperCase() : name));
  expect(outputOf(mended['call'])['refusals']).toMatchObject([{ suggestion: name }]);
  expect(mended['call_again']?.status).toBe('Completed');
  expect(executed()).toEqual([name]);
  const right = await runSaying(() => calling(name));
  expect(right['repair']?.status).toBe('Bypassed');
  expect(executed()).toEqual([name]);
  const both = await runSaying(() => {
    const [one, two] = [calling(name), calling('nothing')].map(
      (message) => (message as Values)['tool_calls'] as Value[],
    );
    return { role: 'assistant', content: null, tool_calls: [...(one ?? []), ...(two ?? [])] };
  });
  expect(both['execute']?.status).toBe('NotRun');
  expect(executed()).toEqual([]);
});
