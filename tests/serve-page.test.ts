// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedWorld, serveFlows, startHeldAddress } from '../packages/server/src/testing/served-world.ts';
import { unpackedChromium } from './studio-browser/chromium.ts';

const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';

/** Answers with a model, then asks an address; and gives what it is given. */
const files: Readonly<Record<string, string>> = {
  '相談/flow.dag.yaml': `inputs:
  question: {type: string, is_chat_input: true}
  chat_history: {type: list, is_chat_history: true, default: []}
  url: {type: string, default: ""}
outputs:
  answer: {type: string, reference: "\${answer.output}", is_chat_output: true}
  waited: {type: string, reference: "\${wait.output}"}
nodes:
- name: answer
  type: llm
  source: {type: code, path: answer.jinja2}
  inputs: {model: offline, question: "\${inputs.question}", history: "\${inputs.chat_history}"}
  connection: offline
  api: chat
- {name: wait, type: python, source: {type: code, path: wait.ts}, inputs: {url: "\${inputs.url}", after: "\${answer.output}"}}
`,
  '相談/answer.jinja2': 'user:\n{{ question }} after {{ history | length }}\n',
  '相談/wait.ts': `export async function wait({ url, after }: { url: string; after: string }) {
  return url === '' ? after : await (await fetch(url)).text();
}
`,
};

const form: Readonly<Record<string, string>> = {
  'half/flow.dag.yaml': `inputs:
  n: {type: int}
  by: {type: int, default: 2}
outputs:
  result: {type: double, reference: "\${half.output}"}
nodes:
- {name: half, type: python, source: {type: code, path: half.ts}, inputs: {n: "\${inputs.n}", by: "\${inputs.by}"}}
`,
  'half/half.ts': `export function half({ n, by }: { n: number; by: number }) {
  if (n === 3) throw new RangeError('no way to halve <b>3</b>');
  return n / by;
}
`,
};

let browser: Browser;
let world: ServedWorld;

beforeAll(async () => {
  world = await serveFlows(['half', '相談'], {}, { ...files, ...form });
  browser = await playwright.launch({
    ...(await unpackedChromium()),
    args: chromium.args.filter((one) => one !== '--single-process'),
  });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world[Symbol.asyncDispose]();
});

/** The page, and what it complains of. */
async function open(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(world.server.url);
  await page.getByRole('heading', { name: '相談' }).waitFor();
  return { page, complaints };
}

test('a form: an answer, and an error with its node', async () => {
  const { page, complaints } = await open();
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'half' }) });
  await section.getByLabel('n (int)').fill('9');
  await section.getByRole('button', { name: 'Run' }).click();
  await section.getByText('"result": 4.5').waitFor();
  await section.getByLabel('n (int)').fill('3');
  await section.getByRole('button').click();
  await section.locator('.error').waitFor();
  expect(await section.locator('.error').textContent()).toMatch(/no way to halve <b>3<\/b>.*\(node half\)$/s);
  expect(await section.locator('b').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test('the page speaks Japanese to a reader of Japanese', async () => {
  const page = await browser.newPage({ locale: 'ja-JP' });
  await page.goto(world.server.url);
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'half' }) });
  await section.getByLabel('n (int)').fill('3');
  await section.getByRole('button', { name: '実行' }).click();
  await section.locator('.error', { hasText: '（ノード half）' }).waitFor();
  expect(await page.getByRole('button').allTextContents()).toEqual(['実行', '送信']);
  expect(await page.getByRole('log').getAttribute('aria-label')).toBe('相談 とのチャット');
  expect(await page.locator('html').getAttribute('lang')).toBe('ja');
  await page.close();
});

test('a chat: by keyboard alone, in Japanese, streamed, with its history, and markup as text', async () => {
  await using held = await startHeldAddress();
  const { page, complaints } = await open();
  const chat = page.locator('section', { has: page.getByRole('heading', { name: '相談' }) });
  await chat.getByLabel('url (string)').focus();
  await page.keyboard.insertText(held.url);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('個人情報とは何ですか');
  await page.keyboard.press('Enter');
  // The model has spoken, and the row goes on: what it said is there already.
  await held.asked(1);
  await chat.locator('.flow', { hasText: '個人情報とは何ですか after 0' }).waitFor();
  expect(await chat.getByRole('button').isDisabled()).toBe(true);
  held.release();
  await chat.locator('button:enabled').waitFor();
  await page.keyboard.insertText('first line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.insertText(evil);
  await page.keyboard.press('Enter');
  await chat.locator('.flow', { hasText: 'after 1' }).waitFor();
  await chat.locator('button:enabled').waitFor();
  expect(await chat.locator('.user').allTextContents()).toEqual(['個人情報とは何ですか', `first line\n${evil}`]);
  expect(await chat.locator('.flow').last().textContent()).toContain(evil);
  expect(await chat.locator('img, script').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test('Enter that ends a conversion of Japanese sends nothing', async () => {
  const { page } = await open();
  const chat = page.locator('section', { has: page.getByRole('heading', { name: '相談' }) });
  const question = chat.getByLabel('question');
  await question.fill('にほんご');
  await question.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
  expect(await question.inputValue()).toBe('にほんご');
  expect(await chat.locator('.user').count()).toBe(0);
  await page.close();
});

test('a run of a flow with a Japanese name is told in headers as an address has it', async () => {
  const { url } = world.server;
  const flow = `${url}/flows/${encodeURIComponent('相談')}/runs`;
  const answer = await fetch(flow, { method: 'POST', body: '{"question": "a"}' });
  const { run, line } = (await answer.json()) as { readonly run: string; readonly line: number };
  const place = answer.headers.get('x-flow-run') ?? '';
  expect([answer.status, decodeURIComponent(place)]).toEqual([200, `${run}/${line}`]);
  expect(await (await fetch(`${url}/runs/${place}`)).json()).toMatchObject({ status: 'Completed', run, line });
  const begun = await fetch(`${flow}?wait=0`, { method: 'POST', body: '{"question": "a"}' });
  expect(begun.status).toBe(202);
  expect((await fetch(`${url}${begun.headers.get('location')}`)).status).toBeLessThan(300);
});
