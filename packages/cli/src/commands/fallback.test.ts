import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenAiServer, type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A node that asks `main` for model `dear`, and then `standby` for model `cheap`; 15 tokens a call. */
function fallbackWorld(main: OpenAiServer, standby: OpenAiServer, retry = fallback): TestWorld {
  const world = createTestWorld({ environment: { FLOW_PRICES: 'prices.json' } });
  writeFiles(world.folder, {
    'prices.json':
      '{"date": "2026-11-01", "models": {"dear": {"input": 10000, "output": 10000}, "cheap": {"input": 1000, "output": 1000}}}',
    'connections.yaml': `main: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${main.url}/v1"}
standby: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${standby.url}/v1"}
`,
    'rows.jsonl': '{"q": "one"}\n{"q": "two"}\n',
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'ask/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  o: {type: string, reference: "\${ask.output}"}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: main
  api: chat
  retry: ${retry}
  inputs: {model: dear, q: "\${inputs.q}"}
`,
  });
  return world;
}

const fallback = '{times: 0, fallback: [{connection: standby, model: cheap}]}';
const run = ['run', 'ask', '--data', 'rows.jsonl', '--concurrency', '1', '--quiet'];
const says = (content: string): ServerReply => ({ message: { content } });
const down: ServerReply = { status: 503 };

test('who answered is shown, priced by its own price, a cause of a difference, and asked again by --since', async () => {
  await using main = await startOpenAiServer([says('A'), says('B'), { ...down, when: 'one' }, says('B'), says('A')]);
  await using standby = await startOpenAiServer([says('S')]);
  using world = fallbackWorld(main, standby);
  await world.flow(...run, '--name', 'before');
  await world.flow(...run, '--name', 'after');
  const shown = await world.flow('show', 'after', '--row', '0', '--node', 'ask');
  expect(shown.stdout).toMatch(/ask {2}llm .*answered by standby \(cheap\)/);
  expect(shown.stdout).toMatch(/1 {2}InternalServerError: .*\n {4}2 {2}standby \(cheap\) succeeded/);
  const json = JSON.parse((await world.flow('show', 'after', '--row', '0', '--node', 'ask', '--json')).stdout);
  expect(json.nodes.ask.answered_by).toEqual({ connection: 'standby', model: 'cheap' });
  // 15 tokens at a cent each, and 15 at a tenth of that.
  expect((await world.flow('show', 'after')).stdout).toContain('$0.16');
  expect((await world.flow('show', 'before')).stdout).toContain('$0.3');
  const diff = await world.flow('diff', 'before', 'after');
  expect(diff.stdout).toContain('the connection that answered changed');
  const since = await world.flow(...run, '--name', 'again', '--since', 'after');
  expect(since.code).toBe(0);
  expect([main.requests.length, standby.requests.length]).toEqual([5, 1]);
  expect((await world.flow('why', 'again', '--row', '0', '--node', 'ask')).stdout).toContain(
    'connection "standby" answered in the place of its own',
  );
});

test.for([
  ['10', 0, 2],
  ['0.01', 130, 1],
] as const)('a budget of $%s counts what the other connection costs', async ([limit, code, asked]) => {
  await using main = await startOpenAiServer([down, down]);
  await using standby = await startOpenAiServer([says('S'), says('S')]);
  using world = fallbackWorld(main, standby);
  const ran = await world.flow(...run, '--budget-cost', limit);
  expect([ran.code, standby.requests.length]).toEqual([code, asked]);
});

test('a budget in money is refused where the other connection has no price', async () => {
  await using main = await startOpenAiServer();
  await using standby = await startOpenAiServer();
  using world = fallbackWorld(main, standby, '{times: 0, fallback: [{connection: standby, model: unheard}]}');
  const { code, stderr } = await world.flow(...run, '--budget-cost', '1');
  expect([code, stderr]).toEqual([2, expect.stringContaining('ask')]);
});

test('a cassette keeps both calls, also where they are the same, and replays them in their turn', async () => {
  const retry = '{times: 1, fallback: [standby]}';
  const tape = await (async () => {
    await using main = await startOpenAiServer([down, down, down, down]);
    await using standby = await startOpenAiServer([says('S1'), says('S2')]);
    using world = fallbackWorld(main, standby, retry.replace('times: 1', 'times: 0'));
    const { stderr } = await world.flow(
      'run',
      'ask',
      '--data',
      'rows.jsonl',
      '--record',
      'tape.yaml',
      '--concurrency',
      '1',
    );
    expect(stderr).toContain('tape.yaml: 0 replayed, 4 recorded');
    return readFileSync(join(world.folder, 'tape.yaml'), 'utf8');
  })();
  const both = ['passed_on: true', 'fallback: true'];
  expect(tape.match(/passed_on: true|fallback: true/g)).toEqual([...both, ...both]);
  await using main = await startOpenAiServer([says('M1'), says('M2')]);
  await using standby = await startOpenAiServer();
  using world = fallbackWorld(main, standby, retry);
  writeFiles(world.folder, { 'tape.yaml': tape });
  const replayed = await world.flow('run', 'ask', '--data', 'rows.jsonl', '--replay', 'tape.yaml', '--name', 'r');
  expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringContaining('tape.yaml: 4 replayed\n')]);
  expect(JSON.parse((await world.flow('show', 'r', '--row', '0', '--json')).stdout).outputs).toEqual({ o: 'S1' });
  expect([main.requests, standby.requests]).toEqual([[], []]);
  // The service is up again: what it could not answer then it is asked now.
  const again = await world.flow('run', 'ask', '--data', 'rows.jsonl', '--record', 'tape.yaml', '--name', 's');
  expect(again.stderr).toContain('2 recorded');
  expect(JSON.parse((await world.flow('show', 's', '--row', '0', '--json')).stdout).outputs).toEqual({ o: 'M1' });
});

test('connections that are not there are told with the nearest name, before anything runs', async () => {
  await using main = await startOpenAiServer();
  await using standby = await startOpenAiServer();
  using world = fallbackWorld(main, standby, '{fallback: [standbye, {connection: mainn, modle: x}]}');
  const { code, stdout, stderr } = await world.flow('check', 'ask');
  expect(code).toBe(2);
  const told = stdout + stderr;
  expect(told).toContain('11:22 error CONNECTION_MISSING there is no connection "standbye" for node "ask"');
  expect(told).toContain('did you mean "standby"?');
  expect(told).toContain('modle');
});
