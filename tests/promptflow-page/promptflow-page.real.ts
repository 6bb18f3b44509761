import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { launchBrowser } from '../studio-browser/studio-browser.ts';
import { installedPage } from './installed-page.ts';

/** The page of Prompt flow's own server, written by nobody here, asks `flow serve` in place of that server. */
const page = installedPage();
const folder = mkdtempSync(join(tmpdir(), 'flow-promptflow-page-'));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const flows = {
  add: `inputs:
  word: {type: string}
  times: {type: int}
outputs:
  said: {type: string, reference: "\${say.output}"}
nodes:
- {name: say, type: python, source: {type: code, path: code.ts}, inputs: {word: "\${inputs.word}", times: "\${inputs.times}"}}
`,
  chat: `inputs:
  chat_history: {type: list, is_chat_history: true, default: []}
  question: {type: string, is_chat_input: true}
outputs:
  answer: {type: string, is_chat_output: true, reference: "\${say.output}"}
nodes:
- {name: say, type: python, source: {type: code, path: code.ts}, inputs: {word: "\${inputs.question}", history: "\${inputs.chat_history}"}}
`,
};

const code = {
  add: `export function say({ word, times }: { word: string; times: number }) {
  if (times < 0) throw new RangeError('times is below zero');
  return word.repeat(times);
}
`,
  chat: `export function say({ word, history }: { word: string; history: { inputs: { question: string } }[] }) {
  return 'heard ' + [...history.map(({ inputs }) => inputs.question), word].join(', ');
}
`,
};

/** Serves a flow, and opens the page as if its server gave it. */
async function withPage(flow: keyof typeof flows, work: (opened: Page) => Promise<void>): Promise<void> {
  const files = { [`${flow}/flow.dag.yaml`]: flows[flow], [`${flow}/code.ts`]: code[flow] };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const server = startFlow(['serve', flow, '--port', '0'], { folder });
  await server.said('http://127.0.0.1');
  await server.said('\n');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.text())?.[0] ?? '';
  const opened = await browser.newPage();
  // Fonts, from elsewhere.
  await opened.route(
    (address) => address.origin !== url,
    (route) => route.abort(),
  );
  for (const [path, file] of Object.entries(page)) await opened.route(url + path, (route) => route.fulfill(file));
  await opened.goto(url);
  try {
    await work(opened);
  } finally {
    await opened.close();
    server.child.kill('SIGTERM');
    await server.ended;
  }
}

async function send(opened: Page, inputs: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(inputs)) await opened.getByLabel(name).fill(value);
  await opened.getByRole('button').last().click();
}

test.for([
  { what: 'a form of its inputs', flow: 'add', turns: [{ inputs: { word: 'ab', times: '3' }, shows: 'ababab' }] },
  {
    what: 'the status of a row that failed',
    flow: 'add',
    turns: [{ inputs: { word: 'ab', times: '-1' }, shows: 'Request failed with status code 400' }],
  },
  {
    what: 'a chat with its history',
    flow: 'chat',
    turns: [
      { inputs: { question: 'one' }, shows: 'heard one' },
      { inputs: { question: 'two' }, shows: 'heard one, two' },
      { inputs: { question: 'three' }, shows: 'heard one, two, three' },
    ],
  },
] as const)('the page shows $what', async ({ flow, turns }) => {
  await withPage(flow, async (opened) => {
    for (const { inputs, shows } of turns) {
      await send(opened, inputs);
      await expect.poll(() => opened.locator('body').textContent(), { timeout: 30_000 }).toContain(shows);
    }
  });
});
