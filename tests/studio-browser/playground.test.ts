import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, launchBrowser, openPage } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;
let prompt: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([createViewedWorld(), launchBrowser()]);
  prompt = readFileSync(join(world.folder, file), 'utf8');
}, 240_000);
afterAll(async () => {
  await browser?.close();
  world?.[Symbol.dispose]();
});

const file = 'flows/privacy-agent/agent.jinja2';
const onRow = '/playground?run=right&line=4&node=agent_1';

test('one row: what stands before is taken, the answer comes beside the recorded one, word by word', async () => {
  await using opened = await openPage(browser, world, '/runs/right/rows/4/0?node=agent_1');
  const { page } = opened;
  await page.getByRole('complementary').getByRole('heading', { name: 'agent_1' }).waitFor();
  await page.keyboard.press('p');
  await page.waitForURL('**/playground?run=right&line=4&node=agent_1');
  await page.getByText('one prompt of 3 nodes').waitFor();
  const editor = page.getByRole('textbox', { name: 'agent.jinja2' });
  await editor.fill(prompt.replaceAll('faq_search', 'guideline_search'));
  await page.getByText('lines changed in').waitFor();
  await page.getByRole('button', { name: 'Run this row', disabled: false }).waitFor();
  await page.keyboard.press('Control+Enter');
  const now = page.getByRole('region', { name: 'With your change' });
  await now.getByRole('link', { name: 'open the row' }).waitFor();
  expect(
    await now
      .getByRole('listitem')
      .filter({ hasText: 'format_input' })
      .getByRole('img', { name: 'from cache' })
      .count(),
  ).toBe(1);
  await now.getByText('guideline_search').first().waitFor();
  expect(await now.locator('ins').count()).toBeGreaterThan(0);
  expect(readFileSync(join(world.folder, file), 'utf8')).toBe(prompt);
  await now.getByRole('link', { name: 'open the row' }).click();
  await page.getByText('row 4 of 1').waitFor();
  expect(opened.complaints).toEqual([]);
});

test('mistakes are told with their place, and nothing runs', async () => {
  await using opened = await openPage(browser, world, onRow);
  const { page } = opened;
  await page.getByRole('textbox', { name: 'agent.jinja2' }).fill('# user:\n{{ input.query ');
  await page.getByText(/agent\.jinja2:2:\d+ error/).waitFor();
  expect(await page.getByRole('button', { name: 'Run this row' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Revert' }).click();
  await page.getByText('Nothing is changed').waitFor();
  expect(opened.complaints).toEqual([]);
});

test('a file that changed meanwhile is not written, and what was edited stays', async () => {
  await using opened = await openPage(browser, world, onRow);
  const { page } = opened;
  const editor = page.getByRole('textbox', { name: 'agent.jinja2' });
  const edited = prompt.replace('How to proceed', 'How to go on');
  await editor.fill(edited);
  const write = page.getByRole('button', { name: 'Write 1 line' });
  await write.waitFor();
  writeFileSync(join(world.folder, file), `${prompt}\n`);
  try {
    await write.click();
    await page.getByRole('alert').getByText('has changed since it was read').waitFor();
    expect(await editor.inputValue()).toBe(edited);
    expect(readFileSync(join(world.folder, file), 'utf8')).toBe(`${prompt}\n`);
  } finally {
    writeFileSync(join(world.folder, file), prompt);
  }
  // The browser itself tells of the one answer that was 409.
  expect(opened.complaints.filter((text) => !text.includes('409'))).toEqual([]);
});

test('hostile inputs and outputs are text', async () => {
  await using opened = await openPage(browser, world, '/playground?run=hostile&line=0&node=echo&edit=inputs');
  const { page } = opened;
  await page.getByRole('textbox', { name: 'text' }).fill('"<script>alert(4)</script>"');
  await page.getByText('Other inputs').waitFor();
  await page.getByRole('button', { name: 'Run this row' }).click();
  const now = page.getByRole('region', { name: 'With your change' });
  await now.getByRole('link', { name: 'open the row' }).waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await now.textContent()).toContain('alert(4)');
  expect(await page.locator('main').textContent()).not.toContain('\u001b');
  expect(opened.complaints).toEqual([]);
});

test('in Japanese', async () => {
  await using opened = await openPage(browser, world, onRow, { locale: 'ja' });
  const { page } = opened;
  await page.getByRole('button', { name: 'この行を実行' }).waitFor();
  await page.getByRole('heading', { name: '変更後' }).waitFor();
  await page.getByText('個のノードに共通のプロンプト').waitFor();
  await page.getByRole('textbox', { name: 'agent.jinja2' }).fill(`${prompt}\n`);
  const verdict = page.getByRole('region', { name: '結論' });
  await verdict.getByText('行を変更しています。').waitFor();
  await verdict.getByText('の記録を使います。').waitFor();
  await page.getByRole('button', { name: '元に戻す' }).click();
  expect(opened.complaints).toEqual([]);
});

test('axe finds nothing, light and dark, wide and narrow', { timeout: 180_000 }, async () => {
  await using opened = await openPage(browser, world, onRow);
  const { page } = opened;
  await page.getByRole('textbox', { name: 'agent.jinja2' }).fill(prompt.replace('How to proceed', 'How to go on'));
  await page.getByRole('button', { name: 'Write 1 line' }).waitFor();
  await page.getByRole('button', { name: 'Run 10 rows' }).waitFor();
  for (const width of [1440, 1024, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect({ width, colorScheme, found: await axeFindings(page) }).toEqual({ width, colorScheme, found: [] });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect({ width, overflow }).toEqual({ width, overflow: 0 });
    }
  }
  await page.getByRole('button', { name: 'Revert' }).click();
  expect(opened.complaints).toEqual([]);
});

/** A stranger's task: five clicks from the first page; what is typed is not counted. */
test('change a prompt, run ten rows, compare, write it', async () => {
  await using opened = await openPage(browser, world, '/');
  const { page } = opened;
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string | RegExp): Promise<void> => {
    clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await click('link', 'Playground');
  const editor = page.getByRole('textbox', { name: 'agent.jinja2' });
  const edited = prompt.replace('まず faq_search を', 'まず guideline_search を');
  await editor.fill(edited);
  await page.getByText('Model calls').waitFor();
  await click('button', /^Run 10 rows/);
  await click('link', /^Compare with/);
  await page.getByRole('region', { name: 'Causes' }).getByText('agent.jinja2').first().waitFor();
  clicks += 1;
  await page.goBack();
  expect(await editor.inputValue()).toBe(edited);
  await click('button', 'Write 1 line');
  await page.getByText('Written: agent.jinja2').waitFor();
  expect(readFileSync(join(world.folder, file), 'utf8')).toBe(edited);
  expect(clicks).toBeLessThanOrEqual(5);
  writeFileSync(join(world.folder, file), prompt);
  expect(opened.complaints).toEqual([]);
});
