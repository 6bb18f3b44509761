import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, type NodeRun, openFlow, type RunnableFlow } from '@unroll/engine';
import { nodeTypes, scriptedService } from '@unroll/nodes';
import { nameTools, readTools, stringifyCatalogue } from '@unroll/nodes/tool-catalogue';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileNames } from './house/hostile-names.ts';

/**
 * Whatever a model says, no tool outside of the catalogue is called: a flow looks tools up among 46,000, lets the model
 * choose, checks, asks once more, and calls. The tools of this world are the catalogue's names; every execution is counted.
 */
const places = Array.from({ length: 7660 }, (_, at) =>
  at % 9 === 0 ? `${'Very '.repeat(14)}Far ${at}` : `Place ${at}`,
);
const owners = ['Shop', 'News', 'Weather', 'Maps', 'Bank', ...places];
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

/** How tools are offered, and how a model that keeps to nothing writes a call then. */
const ways: Readonly<
  Record<string, { readonly offer: string; readonly says: (name: JsonValue, given: JsonValue) => JsonValue }>
> = {
  'strict tools': { offer: 'tools', says: toolCall },
  'one tool with an enum': {
    offer: 'call_tool',
    says: (name, given) => toolCall('call_tool', JSON.stringify({ name, arguments: given })),
  },
  'a JSON Schema (structured outputs)': {
    offer: 'structured_outputs',
    says: (name, given) => ({ role: 'assistant', content: JSON.stringify({ name, arguments: given }) }),
  },
  'the older function_call': {
    offer: 'tools',
    says: (name, given) => ({ role: 'assistant', content: null, function_call: { name, arguments: given } }),
  },
};

function toolCall(name: JsonValue, given: JsonValue): JsonValue {
  const call = { id: 'c', type: 'function', function: { name, arguments: given } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

const flowText = (offer: string): string => {
  const form = offer === 'structured_outputs' ? offer : 'tools';
  return `
inputs:
  query: { type: string }
outputs:
  status: { type: string, reference: "\${execute.output.status}" }
nodes:
  - { name: find, type: tool_lookup, catalogue: all.tools, top_k: 10, ranking: bm25f, offer: ${offer}, inputs: { query: "\${inputs.query}" } }
  - name: choose
    type: llm
    source: { type: code, path: choose.jinja2 }
    connection: model
    api: chat
    inputs: { model: m, query: "\${inputs.query}", told: "", ${form}: "\${find.output.${form}}" }
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
    inputs: { model: m, query: "\${inputs.query}", told: "\${call.output.repair}", ${form}: "\${find.output.${form}}" }
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
};
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
const flows = new Map<string, RunnableFlow>();
let say: (round: number) => JsonValue = () => null;
let round = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guarantee-'));
  writeFileSync(join(folder, 'choose.jinja2'), template);
  writeFileSync(join(folder, 'execute.ts'), code);
  writeFileSync(join(folder, 'all.tools'), stringifyCatalogue(catalogue));
  const model = {
    ...scriptedService([]),
    call: async () => ({ ok: true as const, reply: { body: say(round++) } }),
  };
  const connection = { name: 'model', type: 'open_ai', configs: {}, secrets: {} };
  for (const offer of ['tools', 'call_tool', 'structured_outputs']) {
    const file = join(folder, `${offer}.dag.yaml`);
    writeFileSync(file, flowText(offer));
    const opened = await openFlow(
      { file, folder },
      {
        nodeTypes: nodeTypes({ openService: async () => model, extensions: [promptFlow()] }),
        connections: { find: () => connection, names: () => ['model'] },
      },
    );
    if (opened.flow === undefined) throw new Error(JSON.stringify(opened.diagnostics.map(({ message }) => message)));
    flows.set(offer, opened.flow);
  }
}, 120_000);

afterAll(async () => {
  for (const flow of flows.values()) await flow[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function runSaying(
  said: (round: number) => JsonValue,
  offer = 'tools',
): Promise<Readonly<Record<string, NodeRun>>> {
  say = said;
  round = 0;
  executed().length = 0;
  const query = 'get an item of the Shop, then news, weather, maps and the bank';
  const run = await flows.get(offer)?.runRow({ query });
  return Object.fromEntries((run?.nodes ?? []).map((node) => [node.node, node]));
}

/** Output of a node; an empty one where it gave none. */
function outputOf(run: NodeRun | undefined): JsonObject {
  return (run?.output ?? {}) as JsonObject;
}

const fitting = '{"id":"1"}';

function calling(name: JsonValue): JsonValue {
  return toolCall(name, fitting);
}

const wrong = hostileNames(names);

test('the catalogue has 46,000 tools and each a name of its own', () => {
  expect(names.length).toBeGreaterThanOrEqual(45_990);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(wrong).size).toBe(1000);
});

test.for(Object.keys(ways))(
  '1,000 names that are none, by %s: none is executed, each is refused twice and recorded with its reason',
  { timeout: 240_000 },
  async (way) => {
    const { offer, says } = ways[way] ?? { offer: '', says: toolCall };
    for (const name of wrong) {
      const { call, call_again: again, execute } = await runSaying(() => says(name, fitting), offer);
      const { ok, calls, refusals } = outputOf(call) as unknown as {
        ok: boolean;
        calls: unknown[];
        refusals: JsonObject[];
      };
      expect({ name, ok, calls }).toEqual({ name, ok: false, calls: [] });
      expect(refusals).toMatchObject([{ name, reason: 'no_such_tool' }]);
      expect(again).toMatchObject({ status: 'Failed', error: { code: 'ToolCallRefused' } });
      expect(execute?.status).toBe('NotRun');
      expect(executed()).toEqual([]);
    }
  },
);

test('a name alone, as a grammar of names has a model say it, is no call', async () => {
  for (const name of [...wrong.slice(0, 50), names[0] ?? '']) {
    const { call, execute } = await runSaying(() => ({ role: 'assistant', content: name }));
    expect(outputOf(call)).toMatchObject({ ok: false, calls: [], refusals: [{ reason: 'no_call' }] });
    expect(execute?.status).not.toBe('Failed');
    expect(executed()).toEqual([]);
  }
});

test.for(Object.keys(ways))('a tool that was offered is called, by %s', async (way) => {
  const { offer, says } = ways[way] ?? { offer: '', says: toolCall };
  const { find } = await runSaying(() => says('x', fitting), offer);
  const [name = ''] = outputOf(find)['ids'] as readonly string[];
  await runSaying(() => says(name, fitting), offer);
  expect(executed()).toEqual([name]);
});

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
      (message) => (message as JsonObject)['tool_calls'] as JsonValue[],
    );
    return { role: 'assistant', content: null, tool_calls: [...(one ?? []), ...(two ?? [])] };
  });
  expect(both['execute']?.status).toBe('NotRun');
  expect(executed()).toEqual([]);
});
