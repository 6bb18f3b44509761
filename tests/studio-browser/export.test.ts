import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { axeFindings, launchBrowser, type OpenedPage, openFile, settledRows } from './studio-browser.ts';
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

test('an export is opened from disk: list, run, row and back, by links and keys', async () => {
  await using opened = await open('/');
  const { page } = opened;
  await page.getByRole('link', { name: 'guideline-first' }).first().click();
  await page.getByRole('region', { name: 'Verdict' }).getByText('4 of 6 gates fail.').waitFor();
  expect(page.url()).toMatch(/#\/runs\/guideline-first$/);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: /^calls: broken/ }).click();
  await settledRows(page, /^79 /);
  await page.getByRole('button', { name: 'Sort by tokens' }).click();
  await page.waitForURL('**sort=*');
  await settledRows(page, /^79 /);
  await page.locator('.row-link').first().click();
  await page.getByText('1 of 79').waitFor();
  const [first] = [await page.locator('h1').textContent()];
  await page.keyboard.press('j');
  await page.getByText('2 of 79').waitFor();
  await page.keyboard.press('k');
  await page.getByText('1 of 79').waitFor();
  expect(await page.locator('h1').textContent()).toBe(first);
  await page.keyboard.press('d');
  await page.waitForURL('**#/runs/right/rows/**');
  await page.goBack();
  await page.getByText('1 of 79').waitFor();
  expectQuiet(opened);
});

test('texts that the table shows are searched, and what was not worked out is told', async () => {
  await using opened = await open('/runs/many');
  const { page } = opened;
  await page.locator('.search input').fill('QUESTION 123');
  await settledRows(page, /^5 /);
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
  await page.getByRole('region', { name: 'Verdict' }).getByText('Outputs changed in 15 of 96 rows.').waitFor();
  await page.keyboard.press('n');
  await page.locator('.pick').nth(1).and(page.locator('[aria-current]')).waitFor();
  await page.getByRole('link', { name: /^cited broken/ }).click();
  await page.locator('.one-row').getByText('How it came about').waitFor();
  await page.locator('.node-changes').first().waitFor();
  expectQuiet(opened);
});

test('the list of runs says which needs a look and why, in either language', async () => {
  await using opened = await openFile(browser, index, { locale: 'ja' });
  const { page } = opened;
  await page
    .getByRole('row', { name: /guideline-first/ })
    .getByText('基準 6 件中 4 件が未達です。')
    .waitFor();
  await page.getByRole('button', { name: 'このページを英語で表示' }).click();
  await page
    .getByRole('row', { name: /guideline-first/ })
    .getByText('4 of 6 gates fail.')
    .waitFor();
  await page.getByRole('button', { name: /^needs a look/ }).click();
  await page.locator('[data-item]', { hasText: /^right$/ }).waitFor({ state: 'detached' });
  await page.locator('[data-item]', { hasText: 'guideline-first' }).waitFor();
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
  await page.getByRole('region', { name: 'Verdict' }).getByText('Outputs changed in 15 of 96 rows.').waitFor();
  await page.locator('.one-row .node-changes').first().waitFor();
  await page.getByText('81 more are not in this export').waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('data:')).map((url) => url.split('#')[0])).toEqual([file]);
});

test('flow diff --html is such a file: it opens on the comparison, and leads to the rows and the runs', async () => {
  const written = ['--html', 'mail/diff.html', '--by-iteration', '--only', 'cause', '--rows', '20'];
  const { code, stdout } = await startFlow(['diff', 'right', 'guideline-first', ...written], world).ended;
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Outputs changed in 15 of 96 rows/),
  });
  const file = pathToFileURL(join(world.folder, 'mail/diff.html')).href;
  await using opened = await openFile(browser, file);
  const { page, complaints, asked } = opened;
  await page.getByRole('region', { name: 'Verdict' }).getByText('Outputs changed in 15 of 96 rows.').waitFor();
  await page.getByRole('link', { name: /in which a node is cause/ }).waitFor();
  await page.locator('.one-row .node-changes').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByText('more are not in this export').waitFor();
  await page.keyboard.press('n');
  await page.locator('.pick').nth(1).and(page.locator('[aria-current]')).waitFor();
  await page.getByRole('table').getByRole('link', { name: 'agent_2' }).click();
  await page.getByRole('link', { name: /in which agent_2 differs/ }).waitFor();
  await page.getByRole('link', { name: 'row in B' }).click();
  await page.waitForURL('**#/runs/guideline-first/rows/**');
  await page.goBack();
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'right' }).click();
  await settledRows(page, /^96 /);
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
  await settledRows(page, /^1 /);
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

test('flow eval --html: the evaluation as one file, from the verdict to a failing row, its failures and the way back', async () => {
  const { folder } = world;
  const evaluated = ['eval', 'evals/privacy-agent', '--run', 'guideline-first', '--quiet', '--html', 'mail/eval.html'];
  expect(await startFlow(evaluated, { folder }).ended).toMatchObject({ code: 1, stderr: 'mail/eval.html written\n' });
  const file = pathToFileURL(join(folder, 'mail/eval.html')).href;
  await using opened = await openFile(browser, file);
  const { page, complaints, asked } = opened;
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText('guideline-first fails 4 of 6 gates: first_function, calls, faq_recall, cited.').waitFor();
  await verdict.getByText('Of 11 metrics compared with the baseline: 7 worse').waitFor();
  await page.getByText('the mean of 96 scores is 0.03125, below 0.95').waitFor();
  await page
    .getByRole('img', { name: 'cited: guideline-first 68.4 %, 95 % 57.3 to 77.8 %; baseline 86.8 %' })
    .waitFor();
  const since = page.getByRole('region', { name: 'Since the baseline' });
  await since.getByText('first_function is worse in 91 rows').waitFor();
  expect(await since.getByRole('link', { name: 'Compare the two runs' }).count()).toBe(0);
  await page.getByText('stopped right 36, too early 23, too late 37, never 0').waitFor();
  await page.getByRole('img', { name: 'cited: failed: 24 rows, passed: 52 rows' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: '14 broken' }).click();
  await settledRows(page, /^14 /);
  await page.goBack();
  await page.getByRole('link', { name: 'row 4', exact: true }).click();
  await page.getByText('guideline_search').first().waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('data:')).map((url) => url.split('#')[0])).toEqual([file]);
});

test.for([
  { width: 1024, colorScheme: 'dark' as const, locale: 'en' },
  { width: 390, colorScheme: 'light' as const, locale: 'ja' },
])('$width pixels wide, $colorScheme, $locale: nothing of an evaluation sticks out or complains', async (seen) => {
  const { folder } = world;
  const file = join(folder, 'mail/against.html');
  const evaluated = [
    'eval',
    'evals/privacy-agent',
    '--run',
    'guideline-first',
    '--against',
    'right',
    '--html',
    file,
    '--by',
    'expected.calls',
  ];
  if (!existsSync(file)) await startFlow(evaluated, { folder }).ended;
  const { width, colorScheme, locale } = seen;
  await using opened = await openFile(browser, pathToFileURL(file).href, {
    ...{ colorScheme, locale },
    viewport: { width, height: 900 },
  });
  const { page, complaints } = opened;
  await page.getByText('guideline-first').first().waitFor();
  await page.locator('.score-bins').first().waitFor();
  expect(await page.locator('.mean').first().textContent()).toBeTruthy();
  expect(await page.getByText('["faq_search"]').count()).toBeGreaterThan(0);
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect({ wide, complaints, found: await axeFindings(page) }).toEqual({ wide: 0, complaints: [], found: [] });
});
