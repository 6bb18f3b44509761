import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordAgentRun } from '../testing/recorded-run.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';

const id = '20261121-064500-agent-0000';

async function recordedWorld(): Promise<TestWorld> {
  const world = createTestWorld();
  await recordAgentRun(join(world.folder, `.flow/runs/${id}.run`));
  return world;
}

test('a run is a tree, its loop folded to families', async () => {
  using world = await recordedWorld();
  const { code, stdout, stderr } = await world.flow('show');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "20261121-064500-agent-0000
    agent (agent/flow.dag.yaml), 2026-11-21 06:45:00 UTC

    inputs
      query: 同意は要りますか

    ✓ start       python  <1 ms
        in  query=同意は要りますか
        out {finished: false, query: "同意は要りますか", function_results: []}
    ↻ answer  went 2 of at most 3 times
      agent[*]  llm  2 ran, 1 bypassed, 2.01 s, 932 tokens
        ✓ agent_1     llm  812 ms  412 tokens
            in  input={finished: false, query: "同意は要りますか", function_results: []}
            out search({"query": "同意"})
        ✓ agent_2     llm  1.20 s  520 tokens
            in  input=search → [1] 要りません。
            out 要りません。 [1]
        - agent_3     bypassed
      function[*]  python  3 ran, 5 ms
        ✓ function_1  python  3 ms
            in  state={finished: false, query: "同意は要りますか", function_results: []}
            out search → [1] 要りません。
        ✓ function_2  python  1 ms
            in  state=search → [1] 要りません。
            out 要りません。 [1]
        ✓ function_3  python  1 ms
            in  state=要りません。 [1]
            out 要りません。 [1]
    ✓ answer      python  <1 ms
        in  state=要りません。 [1]
        out answered: 要りません。 [1]

    answer
      要りません。 [1]

    completed in 2.02 s, 7 nodes ran, 1 bypassed, 932 tokens
    more    flow show 20261121-064500-agent-0000 --node agent_1
    "
  `);
});

test('everything of one node', async () => {
  using world = await recordedWorld();
  const { stdout } = await world.flow('show', '--node', 'agent_1');
  expect(stdout).toMatchInlineSnapshot(`
    "✓ agent_1  llm  completed  812 ms  412 tokens
      inputs
        input:
          {
            "finished": false,
            "query": "同意は要りますか",
            "function_results": []
          }
      messages sent
        system
          You answer.
        user
          同意は要りますか
      output
        {
          "role": "assistant",
          "content": null,
          "function_call": {
            "name": "search",
            "arguments": "{\\"query\\": \\"同意\\"}"
          }
        }
    "
  `);
});

test('a family shows each instance; retries are told', async () => {
  using world = await recordedWorld();
  const { stdout } = await world.flow('show', id, '--node', 'agent[*]');
  expect(stdout.match(/^\S agent_\d/gm)).toEqual(['✓ agent_1', '✓ agent_2', '- agent_3']);
  expect(stdout).toContain('1  RateLimitError: slow down (100 ms)\n    2  succeeded (600 ms, after waiting 500 ms)');
});

test('as JSON, in the shape of flow run --json', async () => {
  using world = await recordedWorld();
  const whole = JSON.parse((await world.flow('show', '--json')).stdout);
  expect(Object.keys(whole)).toEqual(['status', 'outputs', 'nodes', 'metrics', 'error', 'run_id', 'record']);
  expect(Object.keys(whole.nodes)).toHaveLength(8);
  const one = JSON.parse((await world.flow('show', '--json', '--node', 'agent_3')).stdout);
  expect(one.nodes).toEqual({
    agent_3: { status: 'Bypassed', inputs: null, output: null, error: null, duration_ms: null, tokens: null },
  });
  expect(one).toMatchObject({ run_id: id, record: `.flow/runs/${id}.run` });
});

test.for([
  { argv: ['show', 'x'], says: 'error: there is no run x\nflow runs lists them.\n' },
  { argv: ['show', '--node', 'agent_9'], says: `error: run ${id} has no node "agent_9"\ndid you mean "agent_1"?\n` },
  { argv: ['show', '--row', '7'], says: `error: run ${id} has no row 7\nIt has row 0.\n` },
  { argv: ['show', '--row', '-'], says: 'error: --row takes a whole number from 0, not "-"\n' },
])('flow $argv is refused', async ({ argv, says }) => {
  using world = await recordedWorld();
  expect(await world.flow(...argv)).toEqual({ code: 2, stdout: '', stderr: says });
});

test('flow runs lists runs, newest first', async () => {
  using world = await recordedWorld();
  expect((await world.flow('runs')).stdout).toBe(
    `run                         status     rows  flow   age  about\n${id}  completed     1  agent  0 s  {query: "同意は要りますか"}\n`,
  );
  expect(JSON.parse((await world.flow('runs', '--json')).stdout)).toMatchObject([
    { id, flow: 'agent', started_at: '2026-11-21T06:45:00.000Z', status: 'Completed', rows: 1 },
  ]);
});

test('without a run, what to do is said', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, '.flow/runs');
  expect(await world.flow('show')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: there are no runs in ${folder}\nflow run FLOW makes one.\n`,
  });
});
