import { appendFileSync, copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, launchBrowser, openPage } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([createViewedWorld(), launchBrowser()]);
  const runs = join(world.folder, '.flow/runs');
  copyFileSync(join(runs, 'hostile.run'), join(runs, 'cut-short.run'));
  truncateSync(join(runs, 'cut-short.run'), 5000);
  copyFileSync(join(runs, 'many.run'), join(runs, 'gone.run'));
}, 240_000);
afterAll(async () => {
  await browser?.close();
  world?.[Symbol.dispose]();
});

const alert = (page: Page) => page.getByRole('alert').first();
const labels = '/labels?evaluation=evals/privacy-agent/eval.yaml&metric=cited&run=right';
const cases = 'evals/privacy-agent/cases.jsonl';

interface RareState {
  readonly name: string;
  readonly at: string;
  /** Until its alert is seen. */
  readonly reach?: (page: Page, folder: string) => Promise<void>;
  /** What the studio itself says there. */
  readonly says: RegExp;
}

const states: readonly RareState[] = [
  { name: 'a run that is not there', at: '/runs/none', says: /実行 none が見つかりません/ },
  {
    name: 'a row that is not there',
    at: '/runs/right/rows/5000/0',
    says: /実行 right に、終わった行 5000 がありません/,
  },
  {
    name: 'a record that is cut short',
    at: '/runs/cut-short',
    says: /実行の記録 .* は壊れています：データベースの内容が壊れています/,
  },
  {
    name: 'labels of a run of something else',
    at: `${labels}x`,
    says: /のフローとデータによる実行 rightx が見つかりません/,
  },
  {
    name: 'a label that is not saved',
    at: labels,
    async reach(page, folder) {
      const file = join(folder, cases.replace('.jsonl', '.labels.jsonl'));
      await page.getByText('1 / 96').waitFor();
      writeFileSync(file, '<<<<<<< ours\n');
      await page.keyboard.press('1');
      await page.getByText('2 / 96').waitFor();
      await page.keyboard.press('k');
      await alert(page).waitFor();
      rmSync(file);
    },
    says: /マージの競合が解決されていません/,
  },
  {
    name: 'a label that another window wrote',
    at: labels,
    async reach(page) {
      await page.getByText('1 / 96').waitFor();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByText('1 / 96').waitFor();
      await other.keyboard.press('1');
      await other.getByText('ラベルなし 95 行').waitFor();
      await page.keyboard.press('2');
      await page.keyboard.press('k');
    },
    says: /ラベルは、その間に変わりました/,
  },
  {
    name: 'what was read before its record was removed',
    at: '/runs/gone',
    async reach(page) {
      await page.getByRole('region', { name: /行/ }).getByText('question 0').first().waitFor();
      await page.evaluate("fetch('/api/studio/v1/runs/gone', { method: 'DELETE' }).then(({ status }) => status)");
      await page.keyboard.press('n');
      await alert(page).waitFor();
    },
    says: /削除/,
  },
  {
    name: 'an expected answer whose file was changed meanwhile',
    at: labels,
    async reach(page, folder) {
      await page.getByText('1 / 96').waitFor();
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /に書き込む/, disabled: false }).waitFor();
      const before = readFileSync(join(folder, cases));
      appendFileSync(join(folder, cases), '\n');
      await dialog.getByRole('button', { name: /に書き込む/ }).click();
      await dialog.getByRole('alert').waitFor();
      writeFileSync(join(folder, cases), before);
    },
    says: /表示した後に変更されています/,
  },
  {
    name: 'a prompt that was changed meanwhile',
    at: '/playground?run=right&line=4&node=agent_1',
    async reach(page, folder) {
      const file = join(folder, 'flows/privacy-agent/agent.jinja2');
      const before = readFileSync(file);
      const editor = page.getByRole('textbox', { name: 'agent.jinja2' });
      await editor.fill(`${await editor.inputValue()}\nmore`);
      const write = page.getByRole('button', { name: /行を書き込む/, disabled: false });
      await write.waitFor();
      appendFileSync(file, 'others\n');
      await write.click();
      await alert(page).waitFor();
      writeFileSync(file, before);
    },
    says: /読み込んだ後に変更されています/,
  },
  {
    name: 'a run that cannot begin',
    at: '/',
    async reach(page) {
      await page.locator('[data-item]', { hasText: 'guideline-first' }).waitFor();
      await page.keyboard.press('b');
      await page.getByRole('dialog').getByLabel('フロー').fill('flows/none');
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
    },
    says: /ファイルやフォルダー .*が見つかりません/,
  },
];

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/** Four words in a row are a sentence of English: paths and keys are none. */
const english = /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}/;

async function look(page: Page): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // Nothing lies half under the bar.
    await page.evaluate('window.scrollTo(0, 0)');
    expect({ width, colorScheme, found: await axeFindings(page) }).toEqual({ width, colorScheme, found: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}

test.for(states)('$name is told in Japanese, and axe finds nothing', { timeout: 120_000 }, async (state) => {
  await using opened = await openPage(browser, world, state.at, { locale: 'ja' });
  const { page } = opened;
  await state.reach?.(page, world.folder);
  await alert(page).waitFor();
  const told = (await page.getByRole('alert').allTextContents()).join('\n');
  expect(told).toMatch(state.says);
  expect(told).not.toMatch(english);
  await look(page);
  expect(await page.getByRole('alert').count()).toBeGreaterThan(0);
});

test('an address that leads nowhere, and a connection that is lost', { timeout: 120_000 }, async () => {
  await using nowhere = await openPage(browser, world, '/nothing', { locale: 'ja' });
  await nowhere.page.getByText('このページはありません。').waitFor();
  await look(nowhere.page);
  await using lost = await openPage(browser, world, '/', { locale: 'ja' });
  await lost.page.locator('[data-item]', { hasText: 'right' }).waitFor();
  await world.endServer();
  await lost.page.keyboard.press('/');
  await lost.page.keyboard.type('r');
  await lost.page.getByText('接続が切れています。').first().waitFor();
  await look(lost.page);
});
