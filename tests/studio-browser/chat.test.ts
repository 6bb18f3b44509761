// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenAiServer, startOpenAiServer } from '@unroll/nodes/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHeldAddress } from '../../packages/server/src/testing/served-world.ts';
import { axeFindings, launchBrowser, openPage } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;
let model: OpenAiServer;

const flow = `inputs:
  chat_history: {type: list, is_chat_history: true, default: []}
  question: {type: string, is_chat_input: true}
outputs:
  answer: {type: string, is_chat_output: true, reference: "\${ask.output}"}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: m, question: "\${inputs.question}", chat_history: "\${inputs.chat_history}"}
`;
const template = `system:
You help with the Act.
{% for turn in chat_history %}
user:
{{ turn.inputs.question }}
assistant:
{{ turn.outputs.answer }}
{% endfor %}
user:
{{ question }}
`;

beforeAll(async () => {
  [world, browser, model] = await Promise.all([createViewedWorld(), launchBrowser(), startOpenAiServer()]);
  mkdirSync(join(world.folder, 'flows/chat'));
  writeFileSync(join(world.folder, 'flows/chat/flow.dag.yaml'), flow);
  writeFileSync(join(world.folder, 'flows/chat/ask.jinja2'), template);
  const connections = `mine: {type: open_ai, api_key: k, base_url: "${model.url}/v1"}\n`;
  writeFileSync(join(world.folder, 'connections.yaml'), connections);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await model?.[Symbol.asyncDispose]();
  world?.[Symbol.dispose]();
});

const path = '/chat?flow=flows/chat/flow.dag.yaml';
const hostile = '<img src=x onerror=alert(1)> \u202e';

test('by keys: said, answered, told what was said before, each turn with its nodes and a row of the record', async () => {
  model.add({ message: { content: `一つ目の答えです。${hostile}` } }, { message: { content: 'The second.' } });
  await using opened = await openPage(browser, world, path);
  const { page } = opened;
  const field = page.getByRole('textbox', { name: 'Message' });
  const focused = field.and(page.locator(':focus'));
  await focused.waitFor();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  const talk = page.getByRole('region', { name: 'What was said' });
  await talk.getByText('一つ目の答えです。').waitFor();
  await talk.getByRole('link', { name: 'open the row' }).waitFor();
  expect(await talk.textContent()).toContain('<img src=x onerror=alert(1)>');
  expect(await talk.textContent()).not.toContain('\u202e');
  expect(await page.locator('main img').count()).toBe(0);
  const trace = page.getByRole('complementary', { name: 'Turn 1, node by node' });
  await trace.getByText('15 tokens').waitFor();
  await focused.waitFor();
  await page.keyboard.type('And again');
  await page.keyboard.press('Enter');
  await talk.getByText('The second.').waitFor();
  await talk.getByRole('link', { name: 'open the row' }).nth(1).waitFor();
  const sent = model.requests.at(-1)?.body['messages'] as readonly { readonly content: string }[];
  expect(sent.map(({ content }) => content.slice(0, 8))).toEqual(['You help', 'Hello', '一つ目の答えです', 'And agai']);
  await talk.getByRole('link', { name: 'open the row' }).nth(1).click();
  await page.getByText('row 1 of 2').waitFor();
  await page.goBack();
  await talk.getByText('一つ目の答えです。').waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Say something').waitFor();
  expect(opened.complaints).toEqual([]);
});

test('an answer that is not wanted is stopped', async () => {
  await using held = await startHeldAddress();
  await using opened = await openPage(browser, world, '/chat?flow=flows/held/flow.dag.yaml');
  const { page } = opened;
  await page.getByText('keeps no history').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill(held.url);
  await page.keyboard.press('Enter');
  await held.asked(1);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  held.release();
  expect(opened.complaints).toEqual([]);
});

test('a turn that fails says why', async () => {
  const error = { message: 'no such model', type: 'invalid_request_error', code: 'model_not_found' };
  model.add({ status: 404, error });
  await using opened = await openPage(browser, world, path);
  const { page } = opened;
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('node ask failed').waitFor();
  await page.getByRole('alert').getByText('no such model').waitFor();
  expect(opened.complaints).toEqual([]);
});

test('in Japanese; an Enter that ends a conversion sends nothing', async () => {
  await using opened = await openPage(browser, world, path, { locale: 'ja' });
  const { page } = opened;
  const field = page.getByRole('textbox', { name: '発言' });
  await field.fill('同意');
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  expect(await field.inputValue()).toBe('同意');
  model.add({ message: { content: '要りません。' } });
  await field.press('Enter');
  await page.getByRole('region', { name: '会話の内容' }).getByText('要りません。').waitFor();
  await page.getByRole('link', { name: '行を開く' }).waitFor();
  expect(opened.complaints).toEqual([]);
});

test('axe finds nothing, light and dark, wide and narrow', { timeout: 180_000 }, async () => {
  model.add({ message: { content: 'An answer.' } });
  await using opened = await openPage(browser, world, path);
  const { page } = opened;
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByText('15 tokens').first().waitFor();
  for (const width of [1440, 1024, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect({ width, colorScheme, found: await axeFindings(page) }).toEqual({ width, colorScheme, found: [] });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect({ width, overflow }).toEqual({ width, overflow: 0 });
    }
  }
  expect(opened.complaints).toEqual([]);
});
