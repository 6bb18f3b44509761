import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';
import { freshEngine } from '../packages/queue/src/testing/index.ts';
import { rehearsal } from './pages/rehearsal.ts';
import { sampleWorld } from './pages/sample-world.ts';
import type { TypedLine } from './pages/typed-lines.ts';
import { startOtlpReceiver } from './telemetry/otlp-receiver.ts';

/** A busy machine may take so long. */
const timeout = 600_000;

const PATH = process.env['PATH'] ?? '';

const chat = {
  'my-flow/flow.dag.yaml': `inputs:
  question: {type: string, is_chat_input: true}
outputs:
  answer: {type: string, reference: "\${answer.output}", is_chat_output: true}
nodes:
- name: answer
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: offline, question: "\${inputs.question}"}
  connection: offline
  api: chat
`,
  'my-flow/ask.jinja2': 'user:\n{{ question }}\n',
};

/** What of curl the pages use: data is a POST of a form unless a header says otherwise, `-i` shows status and headers. */
async function curl({ words }: TypedLine): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...{ silent: { type: 'boolean', short: 's' }, 'no-buffer': { type: 'boolean', short: 'N' } },
      ...{ include: { type: 'boolean', short: 'i' }, request: { type: 'string', short: 'X' } },
      ...{ header: { type: 'string', short: 'H', multiple: true }, data: { type: 'string', short: 'd' } },
    },
  });
  const { include, request, header = [], data } = values;
  const named = header.map((one) => one.split(': ', 2) as [string, string]);
  const form: readonly [string, string][] =
    data === undefined ? [] : [['content-type', 'application/x-www-form-urlencoded']];
  const answer = await fetch(`http://${positionals[0]}`, {
    method: request ?? (data === undefined ? 'GET' : 'POST'),
    headers: Object.fromEntries([...form, ...named]),
    ...(data === undefined ? {} : { body: data }),
  });
  const head = [answer.status, ...[...answer.headers].map(([name, value]) => `${name}: ${value}`)].join('\n');
  return `${include === true ? `${head}\n\n` : ''}${await answer.text()}`;
}

test('a flow is served and asked as its page shows it, here and on workers', { timeout }, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, chat);
  await using engine = await freshEngine();
  const words: Record<string, string> = {
    'postgres://ada@db.example/flows': engine.url,
    'flow serve my-flow': 'flow serve my-flow --port 0',
    'flow dev my-flow': 'flow dev my-flow --port 0',
  };
  const answers: string[] = [];
  const other = async (typed: TypedLine): Promise<string> => {
    const printed = await curl(typed);
    answers.push(printed);
    const [, row] = /^location: \/(\S+)$/m.exec(printed) ?? [];
    if (row !== undefined) words['runs/…/0'] = row;
    return printed;
  };
  const lasting = (text: string) => text.replaceAll(/http:\S+/g, 'ADDRESS').replaceAll(/\d+ nodes?,/g, 'NODES,');
  const reader = { folder: world.folder, environment: { PATH }, words, other, lasting };
  await using page = rehearsal('docs/serve.md', reader);
  await page.type(1);
  const [, url = ''] = /http:\/\/(\S+)/.exec(await page.printed(/http:\/\/\S+\s/)) ?? [];
  words['localhost:8080'] = url;
  await page.type(6);
  expect(answers.map((text) => text.split('\n', 1)[0])).toEqual([
    '{"answer":"Received: May we mail our customers?\\n(Answered by the offline stand-in, not by a model.)"}',
    'event: node-started',
    '202',
    'event: row-ended',
    expect.stringMatching(/^{"status":"Completed",/),
    expect.stringMatching(/"RowEnded"/),
  ]);
  await page.type(2);
  await page.printed(/waits for work/);
  await page.type(1);
  await page.printed(/watching/);
  writeFileSync(join(world.folder, 'my-flow/ask.jinja2'), 'user:\nSay {{ question }}\n');
  await page.printed(/changed[\s\S]*served/);
  page.pass('flow build my-flow --output built');
  await page.type();
});

test('runs go to workers as the page on engines says', { timeout }, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { ...chat, 'questions.jsonl': '{"question": "May we?"}\n' });
  await using engine = await freshEngine();
  const environment = { PATH, FLOW_ENGINE: engine.url };
  const words = { $FLOW_ENGINE: engine.url, ' URL': ` ${engine.url}` };
  const other = async () => '';
  await using page = rehearsal('docs/engine.md', { folder: world.folder, environment, words, other });
  await page.type(4);
  await page.printed(/waits for work/);
  await page.type(2);
  page.pass('flow worker [--concurrency N] [--name NAME] [--connections FILE]');
  await page.type();
});

test('spans go where the page on them says', { timeout }, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, chat);
  await using receiver = await startOtlpReceiver();
  const words = {
    'http://localhost:4318': receiver.url,
    'flow serve my-flow': 'flow serve my-flow --port 0',
    'flow run my-flow': 'flow run my-flow --input question=hi',
  };
  await using page = rehearsal('docs/telemetry.md', { folder: world.folder, words });
  await page.type(1);
  page.pass('docker run --rm -p 16686:16686 -p 4318:4318 jaegertracing/jaeger');
  await page.type(1);
  expect(receiver.spans.map(({ name }) => name)).toEqual(['chat offline', 'answer', 'invoke_workflow my_flow']);
});

test('the studio is opened, runs are marked and exported as its page says', { timeout }, async () => {
  using world = sampleWorld();
  const data = join(world.folder, 'flows/privacy-agent/data.jsonl');
  writeFileSync(data, readFileSync(data, 'utf8').split('\n').slice(0, 2).join('\n'));
  for (const name of ['right', 'guideline-first'])
    await world.flow('run', 'flows/privacy-agent', '--data', 'flows/privacy-agent/data.jsonl', '--name', name);
  await using page = rehearsal('docs/studio.md', world);
  await page.type();
});
