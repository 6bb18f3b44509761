import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, launchBrowser, openPage } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([createViewedWorld(), launchBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  world?.[Symbol.dispose]();
});

const path = 'evals/privacy-agent/eval.yaml';
const diff = '/diff?left=right&right=guideline-first';
const evaluation = `/evaluations?path=${path}&run=right&run=guideline-first`;
const labels = `/labels?evaluation=${path}&metric=cited&run=right`;

describe('two runs', () => {
  test('the rows that got worse and why, three keys from the first page', async () => {
    await using opened = await openPage(browser, world, '/?chosen=right&chosen=guideline-first');
    const { page } = opened;
    await page.getByText('2 chosen:').waitFor();
    await page.keyboard.press('d');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('Cause:').waitFor();
    await verdict.getByText('(prompt agent.jinja2 changed').waitFor();
    const [first, second] = [page.locator('.pick').first(), page.locator('.pick').nth(1)];
    await first.and(page.locator('[aria-current]')).waitFor();
    await page.getByText('faq_search', { exact: true }).first().waitFor();
    await page.keyboard.press('n');
    await second.and(page.locator('[aria-current]')).waitFor();
    await page.keyboard.press('s');
    await page.waitForURL('**words=sides*');
    await page.keyboard.press('w');
    await page.waitForURL('**/diff?left=guideline-first&right=right*');
    expect(opened.complaints).toEqual([]);
  });

  test('hostile outputs are text', async () => {
    await using opened = await openPage(browser, world, '/diff?left=hostile&right=many&group=all');
    const { page } = opened;
    await page.locator('.one-row').getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});

test('an evaluation of two runs: gates, paired differences, and its intervals by name', async () => {
  await using opened = await openPage(browser, world, '/evaluations');
  const { page } = opened;
  await page.getByRole('link', { name: 'privacy-agent' }).first().waitFor();
  await page.goto(world.url + evaluation);
  await page.getByRole('region', { name: 'Verdict' }).getByText('fails 4 of 6 gates').waitFor();
  await page.getByRole('img', { name: /^first_function: right 97\.9 %, 95 % / }).waitFor();
  await page.getByRole('button', { name: /^gated/ }).click();
  await page.getByRole('rowheader', { name: /faq_ndcg/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Take right off the page' }).click();
  await page.waitForURL('**run=guideline-first*');
  expect(opened.complaints).toEqual([]);
});

test('twenty rows labelled without the mouse, and how far the metric agrees', async () => {
  await using opened = await openPage(browser, world, labels);
  const { page } = opened;
  const agreement = page.getByRole('region', { name: 'Agreement' });
  await agreement.getByText('0 rows').waitFor();
  for (let row = 0; row < 20; row += 1) {
    await page.keyboard.press(row % 4 === 0 ? '2' : '1');
    await page.getByText(`${row + 2} / 96`).waitFor();
  }
  await page.keyboard.press('n');
  await page.locator(':is(textarea, input):focus').waitFor();
  await page.keyboard.type('12 出典');
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.getByText('22 / 96').waitFor();
  await page.keyboard.press('k');
  await page.getByRole('radio', { name: /unsure/, checked: true }).waitFor();
  await page.getByText('75 rows of 96 have no label yet.').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('radio', { checked: true }).waitFor({ state: 'detached' });
  const left = page.getByRole('region', { name: 'Verdict' }).getByText('76 rows of 96 have no label yet.');
  await left.waitFor();
  await page.reload();
  await left.waitFor();
  expect(opened.complaints).toEqual([]);
});

test('two windows on one row: what the other one said is not written over, and a note is kept by leaving its field', async () => {
  const at = `${labels.replace('cited', 'grounded')}&line=30&repeat=0`;
  await using one = await openPage(browser, world, at);
  await using other = await openPage(browser, world, at);
  for (const { page } of [one, other]) await page.getByRole('heading', { name: 'row 30' }).waitFor();
  const said = async (name: RegExp, { page }: typeof one) => {
    await page.getByRole('radio', { name, checked: true }).waitFor();
  };
  await one.page.keyboard.press('n');
  await one.page.keyboard.type('wrong source');
  await one.page.locator('.pick').nth(3).click();
  await one.page.locator('.pick').first().click();
  await one.page.keyboard.press('2');
  await one.page.keyboard.press('k');
  await said(/fail/, one);
  await one.page.getByText('95 without a label').waitFor();
  expect(await one.page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('wrong source');
  await other.page.keyboard.press('1');
  await other.page.getByText('is another one by now: fail, "wrong source"').first().waitFor();
  await other.page.keyboard.press('k');
  await said(/fail/, other);
  // Nor is it by going on: the note of the first one was not typed here.
  expect(await other.page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('wrong source');
  await other.page.keyboard.press('Enter');
  await other.page.goto(world.url + at);
  await other.page.getByRole('heading', { name: 'row 30' }).waitFor();
  await said(/fail/, other);
  expect(await other.page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('wrong source');
  // The browser itself tells of the one answer that was 409.
  expect([...one.complaints, ...other.complaints].filter((text) => !text.includes('409'))).toEqual([]);
});

test('what cannot be written is said at its row and kept there, until it is saved again', async () => {
  const file = join(world.folder, 'evals/privacy-agent/cases.labels.jsonl');
  await using opened = await openPage(browser, world, `${labels.replace('cited', 'grounded')}&line=31&repeat=0`);
  const { page } = opened;
  await page.getByRole('heading', { name: 'row 31' }).waitFor();
  const before = readFileSync(file, 'utf8');
  const unsettled = `<<<<<<< ours\n${before}=======\n>>>>>>> theirs\n`;
  writeFileSync(file, unsettled);
  await page.keyboard.press('n');
  await page.keyboard.type('cites another law');
  await page.locator('.pick').nth(3).click();
  await page.locator('.pick').first().getByRole('img', { name: 'Not saved:' }).waitFor();
  await page.locator('.pick').first().click();
  await page.getByRole('alert').getByText('it is a mark of a merge that is not settled').waitFor();
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('cites another law');
  expect(readFileSync(file, 'utf8')).toBe(unsettled);
  writeFileSync(file, before);
  await page.getByRole('button', { name: 'Save again' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(readFileSync(file, 'utf8')).toContain('cites another law');
});

test('a score is given by a click, too', async () => {
  const file = join(world.folder, 'evals/privacy-agent/cases.labels.jsonl');
  await using opened = await openPage(browser, world, `${labels.replace('cited', 'grounded')}&line=32&repeat=0`);
  const { page } = opened;
  await page.getByRole('radio', { name: 'score 4' }).click();
  await page.getByRole('radio', { name: 'score 4', checked: true }).waitFor();
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"score":4');
});

test('rows to label come as they are gone through, and how many are left is said', async () => {
  await using opened = await openPage(browser, world, '/labels?evaluation=flows/hostile/many.eval.yaml&run=many');
  const { page } = opened;
  await page.getByText('1 / 1,234 · 1,234 without a label').waitFor();
  await page.getByRole('button', { name: 'Show more, 1,134 are left' }).click();
  await page.getByRole('button', { name: 'Show more, 1,034 are left' }).waitFor();
  for (let row = 0; row < 185; row += 1) await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Show more, 934 are left' }).waitFor();
  await page.keyboard.press('1');
  await page.getByText('187 / 1,234 · 1,233 without a label').waitFor();
  expect(opened.complaints).toEqual([]);
});

test('an answer becomes the expected one by two keys, once what changes in the file was seen', async () => {
  const cases = join(world.folder, 'evals/privacy-agent/cases.jsonl');
  const before = readFileSync(cases, 'utf8');
  await using opened = await openPage(browser, world, labels.replace('cited', 'status'));
  const { page } = opened;
  await page.getByRole('button', { name: /^Accept as expected output/ }).waitFor();
  await page.keyboard.press('e');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('<b>unknown</b>');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Accept as the expected output' });
  await dialog.getByText('cases.jsonl, line').waitFor();
  await dialog.locator('ins', { hasText: '<b>unknown' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(readFileSync(cases, 'utf8')).toBe(before);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('<b>unknown</b>', { exact: true }).waitFor();
  expect(readFileSync(cases, 'utf8')).toContain('"status": "<b>unknown</b>"');
  writeFileSync(cases, before);
  expect(opened.complaints).toEqual([]);
});

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

describe.for([
  { what: 'diff', at: diff },
  { what: 'evaluation', at: evaluation },
  { what: 'labels', at: labels },
])('$what', ({ at }) => {
  test.for(looks)(
    'axe finds nothing at $width, $colorScheme, and nothing is cut off',
    async ({ width, colorScheme }) => {
      const viewport = { width, height: 900 };
      await using opened = await openPage(browser, world, at, { viewport, colorScheme });
      const { page } = opened;
      await page.getByRole('region', { name: 'Verdict' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await axeFindings(page)).toEqual([]);
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect(wider).toBeLessThanOrEqual(0);
    },
  );
});

test.for<[string, readonly string[]]>([
  ['/runs/right', ['トークン']],
  ['/runs/right/rows/4/0', ['トークン']],
  [diff, ['トークン']],
  ['/diff?left=right&right=hostile', ['追加', '削除']],
  [evaluation, ['トークン']],
  ['/playground?run=right&line=4&node=agent_1', ['トークン']],
  ['/runs/no-such-run', ['実行 no-such-run が見つかりません', '削除された可能性があります。']],
  ['/labels?evaluation=none', ['評価 none が見つかりません']],
])('in Japanese %s: units, causes and failures are told in it', async ([at, said]) => {
  await using opened = await openPage(browser, world, at, { locale: 'ja' });
  const { page } = opened;
  for (const text of said) await page.getByText(text).first().waitFor();
  await page.waitForLoadState('networkidle');
  const english = `(() => {
    const seen = [...document.querySelectorAll('main *')].flatMap((one) => [
      ...[...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.textContent),
      one.getAttribute('aria-label'), one.title,
    ]);
    return seen.filter((text) => /\\d( tokens)? to \\d|\\d tokens|nobody is billed|^(added|removed)$/.test(text ?? ''));
  })()`;
  expect(await page.evaluate(english)).toEqual([]);
});
