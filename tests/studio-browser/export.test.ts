import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { axeFindings, launchBrowser, type OpenedPage, openFile } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;
/** Of an export of every run, as an address. */
let index: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([createViewedWorld(), launchBrowser()]);
  expect(await exported('out', 'right', 'guideline-first', 'hostile', 'many')).toMatchObject({ code: 0 });
  index = pathToFileURL(join(world.folder, 'out/index.html')).href;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  world?.[Symbol.dispose]();
});

async function exported(folder: string, ...runs: readonly string[]) {
  return await startFlow(['view', ...runs, '--export', folder], { folder: world.folder }).ended;
}

async function open(address: string): Promise<OpenedPage> {
  return await openFile(browser, `${index}#${address}`);
}

/** What is asked of the page itself is in its folder; nothing else is asked for. */
function expectQuiet({ complaints, asked }: OpenedPage): void {
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(new URL('.', index).href))).toEqual([]);
}

const rowCount = (page: Page): Promise<string | null> => page.locator('#rows-title').textContent();

test('an export is opened from disk: list, run, row and back, by links and keys', async () => {
  await using opened = await open('/');
  const { page } = opened;
  await page.getByRole('link', { name: 'guideline-first' }).first().click();
  await page.getByRole('region', { name: 'Verdict' }).getByText('4 of 6 gates fail.').waitFor();
  expect(page.url()).toMatch(/#\/runs\/guideline-first$/);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: /^calls: broken/ }).click();
  await expect.poll(() => rowCount(page)).toMatch(/^75 /);
  await page.getByRole('button', { name: /^tokens/ }).click();
  await page.locator('.row-link').first().click();
  await page.getByText('1 of 75').waitFor();
  const [first] = [await page.locator('h1').textContent()];
  await page.keyboard.press('j');
  await page.getByText('2 of 75').waitFor();
  await page.keyboard.press('k');
  await page.getByText('1 of 75').waitFor();
  expect(await page.locator('h1').textContent()).toBe(first);
  await page.keyboard.press('d');
  await page.waitForURL('**#/runs/right/rows/**');
  await page.goBack();
  await page.getByText('1 of 75').waitFor();
  expectQuiet(opened);
});

test('texts that the table shows are searched, and what was not worked out is told', async () => {
  await using opened = await open('/runs/many');
  const { page } = opened;
  await page.locator('.search input').fill('QUESTION 123');
  await expect.poll(() => rowCount(page)).toMatch(/^5 /);
  const filter = encodeURIComponent(JSON.stringify({ by: 'score-range', metric: 'cited', above: 0 }));
  await page.goto(`${index}#/runs/many?filter=${filter}`);
  await page.getByText('This is not in the export.').waitFor();
  expectQuiet(opened);
});

test('two runs and their evaluation are in it', async () => {
  await using opened = await open('/evaluations');
  const { page } = opened;
  await page.getByRole('link', { name: 'privacy-agent' }).first().click();
  await page.getByText('fails 4 of 6 gates').waitFor();
  await page.getByRole('link', { name: /^Cause: agent/ }).click();
  await page.getByRole('region', { name: 'Verdict' }).getByText('Outputs changed in 13 of 96 rows.').waitFor();
  await page.keyboard.press('n');
  await page.locator('.pick').nth(1).and(page.locator('[aria-current]')).waitFor();
  await page.getByRole('link', { name: /^cited broken/ }).click();
  await page.locator('.one-row').getByText('How it came about').waitFor();
  await page.locator('.node-changes').first().waitFor();
  expectQuiet(opened);
});

test('a run tells itself in the language of the reader, without a server too', async () => {
  await using opened = await openFile(browser, `${index}#/runs/guideline-first`, { locale: 'ja' });
  await opened.page.getByText('基準 6 件中 4 件が未達です。').waitFor();
  await opened.page.getByRole('button', { name: 'このページを英語で表示' }).click();
  await opened.page.getByText('4 of 6 gates fail.').waitFor();
  expectQuiet(opened);
});

test('one file to mail: nothing is asked for beside it, and hostile text ends no element of it', async () => {
  expect(await exported('mail/runs.html', 'right', 'guideline-first', 'hostile')).toMatchObject({ code: 0 });
  const file = pathToFileURL(join(world.folder, 'mail/runs.html')).href;
  await using opened = await openFile(browser, file);
  const { page, complaints, asked } = opened;
  await page.getByRole('link', { name: 'hostile' }).first().click();
  await page.locator('.row-link').first().click();
  await page.getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.goto(`${file}#/diff?left=right&right=guideline-first`);
  await page.getByRole('region', { name: 'Verdict' }).getByText('Outputs changed in 13 of 96 rows.').waitFor();
  await page.locator('.one-row .node-changes').first().waitFor();
  await page.getByText('81 more rows are not in this export').waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('data:')).map((url) => url.split('#')[0])).toEqual([file]);
});

test('hostile outputs are text, in the page and in its files', async () => {
  await using opened = await open('/runs/hostile/rows/0/0');
  await opened.page.getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor();
  expect(await opened.page.locator('img').count()).toBe(0);
  expectQuiet(opened);
});

test('of a run with many rows a bounded number is in it, failed ones first, and how many are not', async () => {
  const many = Array.from({ length: 2500 }, (_, line) => `{"text": ${line === 2400 ? '"fail"' : `"row ${line}"`}}\n`);
  writeFileSync(join(world.folder, 'more.jsonl'), many.join(''));
  const { folder } = world;
  await startFlow(['run', 'flows/hostile', '--data', 'more.jsonl', '--name', 'more', '--quiet'], { folder }).ended;
  expect(await exported('more-out', 'more')).toMatchObject({ code: 0 });
  await using opened = await openFile(browser, pathToFileURL(join(folder, 'more-out/index.html')).href);
  const { page } = opened;
  await page.getByText('500 more rows are not in this export').waitFor();
  await page.getByRole('button', { name: /^failed 1/ }).click();
  await expect.poll(() => rowCount(page)).toMatch(/^1 /);
  await page.locator('.row-link').first().click();
  await page.getByText('index shard').first().waitFor();
  expect(opened.complaints).toEqual([]);
});

test('a folder of something else is left as it is, an export is made anew', async () => {
  const { folder } = world;
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine/notes.txt'), 'mine');
  const refused = await exported('mine', 'right');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('mine is no export of flow view: it is left as it is');
  expect(readdirSync(join(folder, 'mine'))).toEqual(['notes.txt']);
  expect(await exported('again', 'right', 'hostile')).toMatchObject({ code: 0 });
  const second = await exported('again', 'hostile');
  expect(second.stdout).toMatch(/^again\/index\.html: 1 run, \d/);
  expect(JSON.parse(readFileSync(join(folder, 'again/unroll-export.json'), 'utf8'))).toMatchObject({
    runs: ['hostile'],
  });
  expect(existsSync(join(folder, 'again.new'))).toBe(false);
});
