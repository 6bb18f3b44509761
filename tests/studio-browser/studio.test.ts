import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { startHeldAddress } from '../../packages/server/src/testing/served-world.ts';
import { axeFindings, launchBrowser, openPage, settledRows } from './studio-browser.ts';
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

const rowsOf = (page: Page) => page.getByRole('table', { name: 'rows' });

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const;

/** Of the run `guideline-first`, whose rows went wrong at the agent's first turn. */
const wrongRun = '/runs/guideline-first';

describe('runs', () => {
  test('the answer first, then every run with what came of it; two are compared by keys', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await page.getByRole('region', { name: 'Verdict' }).getByText('2 of the last 4 runs').waitFor();
    expect(await page.locator('[data-item]').allTextContents()).toEqual([
      'many',
      'hostile',
      'guideline-first',
      'right',
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.getByText('2 chosen:').waitFor();
    await page.keyboard.press('d');
    await page.waitForURL('**/diff?left=right&right=guideline-first');
    expect(opened.complaints).toEqual([]);
  });

  test('a run is tagged by keys; what is refused stays to be mended', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    // Shown once it is known that things may be changed here.
    await page.getByRole('button', { name: /Begin a run/ }).waitFor();
    await page.locator('[data-run=many]').focus();
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Name and tags of many' });
    await dialog.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
    expect((await dialog.getByLabel('Note').boundingBox())?.height).toBeGreaterThan(40);
    await page.keyboard.press('Tab');
    await page.keyboard.type(`keep, ${'x'.repeat(61)}`);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('a tag is a text of 1 to 60 characters').waitFor();
    await dialog.getByLabel('Tags, with commas between them').fill('keep');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /many/ }).getByText('keep', { exact: true }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('filters stand in the address, nothing that passes says so, and clearing brings all back', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await page.getByRole('button', { name: /needs a look/ }).click();
    await page.waitForURL('**/?filter=needs-look');
    await page.locator('[data-item]', { hasText: 'right' }).waitFor({ state: 'detached' });
    expect(await page.locator('[data-item]').allTextContents()).toEqual(['hostile', 'guideline-first']);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing of this name');
    await page.getByText('No run passes these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('[data-item]', { hasText: 'right' }).waitFor();
    await page.goBack();
    await page.getByText('No run passes these filters.').waitFor();
    expect(opened.complaints).toEqual([]);
  });
});

describe('run', () => {
  test('says what went wrong where; its link narrows the rows to those', async () => {
    await using opened = await openPage(browser, world, wrongRun);
    const { page } = opened;
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('4 of 6 gates fail.').waitFor();
    await verdict.getByRole('link', { name: '93 of 96 rows' }).click();
    await page.getByRole('heading', { name: '93 rows of 96' }).waitFor();
    await page.getByRole('button', { name: /first bad: agent_1/ }).click();
    await page.getByRole('heading', { name: '96 rows' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('the graph: turns beside each other, coloured by key, folded by key, a node tells how its rows ended', async () => {
    await using opened = await openPage(browser, world, wrongRun);
    const { page } = opened;
    const graph = page.getByRole('list', { name: 'The flow, turn by turn' });
    await graph.getByRole('link', { name: /agent_3/ }).waitFor();
    const tops = await Promise.all(
      ['agent_1', 'agent_2', 'agent_3'].map((name) =>
        graph.getByRole('link', { name: new RegExp(name) }).boundingBox(),
      ),
    );
    expect(new Set(tops.map((box) => box?.y)).size).toBe(1);
    await page.keyboard.press('m');
    await page.waitForURL('**colour=*');
    await graph.getByRole('link', { name: /agent_2/ }).click();
    await page.getByRole('button', { name: 'agent_2: bypassed' }).click();
    await page.getByRole('heading', { name: /^3 rows of 96/ }).waitFor();
    await page.keyboard.press('o');
    const folded = page.getByRole('list', { name: 'The flow, loops folded' });
    await folded.waitFor();
    expect(await folded.getByRole('link', { name: /agent_2/ }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test('rows by keyboard alone: search, choose, open, back to the same view', async () => {
    await using opened = await openPage(browser, world, wrongRun);
    const { page } = opened;
    await rowsOf(page).getByText('Cookieの閲覧履歴は規制を受けますか').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('cookie');
    await page.waitForURL('**cookie*');
    await settledRows(page, /rows of 96/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await rowsOf(page).locator('[aria-selected=true]', { hasText: 'Cookie' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/rows/21/0?*');
    await page.getByRole('heading', { name: 'Cookieの閲覧履歴は規制を受けますか' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /rows of 96/ }).waitFor();
    expect(await page.getByPlaceholder('Search inputs, answers, errors').inputValue()).toBe('cookie');
    expect(opened.complaints).toEqual([]);
  });

  test('a thousand rows: only what is seen is in the page, and any place is one page away', async () => {
    await using opened = await openPage(browser, world, '/runs/many');
    const { page } = opened;
    await rowsOf(page).getByText('question 0 ', { exact: false }).first().waitFor();
    expect(await rowsOf(page).getAttribute('aria-rowcount')).toBe('1235');
    expect(await rowsOf(page).getByRole('row').count()).toBeLessThan(80);
    await page.keyboard.press('k');
    await rowsOf(page).getByText('question 1233', { exact: true }).waitFor();
    await rowsOf(page).getByRole('button', { name: 'Sort by row' }).click();
    await page.waitForURL('**sort=-line*');
    await settledRows(page, /1,234 rows/);
    await page.keyboard.press('j');
    await rowsOf(page).locator('[aria-selected=true]', { hasText: 'question 1233' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('columns are chosen, and stand in the address', async () => {
    await using opened = await openPage(browser, world, wrongRun);
    const { page } = opened;
    await rowsOf(page).getByRole('columnheader', { name: 'tokens' }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('tokens', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await rowsOf(page).getByRole('columnheader', { name: 'tokens' }).waitFor({ state: 'detached' });
    await page.reload();
    await rowsOf(page).getByRole('columnheader', { name: 'query' }).waitFor();
    expect(await rowsOf(page).getByRole('columnheader', { name: 'tokens' }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test('rows are filtered by keys: by node status and score, each with how many rows it leaves', async () => {
    await using opened = await openPage(browser, world, wrongRun);
    const { page } = opened;
    await settledRows(page, /^96 /);
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Filter rows' });
    await dialog.getByRole('button', { name: 'agent_2: bypassed 3' }).click();
    await settledRows(page, /^3 rows of 96/);
    await dialog.getByRole('button', { name: /^agent_2: bypassed remove/ }).click();
    const cited = dialog.getByRole('button', { name: /^cited: fails \d+$/ });
    const left = /\d+$/.exec((await cited.textContent()) ?? '')?.[0];
    await cited.click();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await settledRows(page, new RegExp(`^${left} rows of 96`));
    await page.waitForURL('**filter=*cited*');
    expect(opened.complaints).toEqual([]);
  });

  test('failures stand together, with the rows they are in', async () => {
    await using opened = await openPage(browser, world, '/runs/hostile');
    const { page } = opened;
    const failures = page.getByRole('region', { name: 'Failures' });
    await failures.getByText('index shard <b>3</b> cannot be read').waitFor();
    await failures.getByRole('link', { name: 'row 1' }).click();
    await page.waitForURL('**/runs/hostile/rows/1/0*');
    await page.getByText('TypeError').first().waitFor();
    expect(opened.complaints).toEqual([]);
  });
});

describe('row', () => {
  test('what the second turn of the agent saw in row 17, by keys', async () => {
    await using opened = await openPage(browser, world, `${wrongRun}/rows/17/0`);
    const { page } = opened;
    const inspector = page.getByRole('complementary');
    await inspector.getByRole('heading', { name: 'agent_1' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await inspector.getByRole('heading', { name: 'agent_2' }).waitFor();
    await page.getByRole('heading', { name: 'Conversation of agent_2' }).waitFor();
    expect(await page.locator('article.message').count()).toBeGreaterThan(2);
    await page.keyboard.press('3');
    await inspector.getByText('"role"').first().waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('request');
    expect(opened.complaints).toEqual([]);
  });

  test('scores that take long come to the page once they are there', async () => {
    await using held = await startHeldAddress();
    const files = {
      'slow.eval.yaml':
        'name: slow\nflow: .\ndata: ../../many.jsonl\nmetrics:\n- {name: awaited, on: outputs.answer, evaluator: ./slow.ts}\n',
      'slow.ts': `export default async () => { await (await fetch('${held.url}')).text(); return true; };\n`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(world.folder, 'flows/hostile', name), text);
    try {
      const at = '/runs/many/rows/3/0?evaluation=flows/hostile/slow.eval.yaml';
      await using opened = await openPage(browser, world, at);
      const { page } = opened;
      await page.getByRole('heading', { name: 'Nodes in time' }).waitFor();
      await held.asked(1);
      expect(await page.getByText('awaited').count()).toBe(0);
      held.release();
      await page.getByText('awaited').first().waitFor();
      expect(opened.complaints).toEqual([]);
    } finally {
      for (const name of Object.keys(files)) rmSync(join(world.folder, 'flows/hostile', name));
    }
  });

  test('turns beside each other tell what changed in the state, against the turn before and against the other run', async () => {
    await using opened = await openPage(browser, world, `${wrongRun}/rows/21/0`);
    const { page } = opened;
    const turns = page.getByRole('region', { name: 'The row, turn by turn' });
    await turns.getByText('turn 3').waitFor();
    expect(await turns.locator('li.wrong h3').textContent()).toContain('turn 1');
    expect(await turns.locator('ins').filter({ hasText: 'true' }).count()).toBe(1);
    await turns.getByRole('button', { name: 'with right' }).click();
    await turns.getByText('against right').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('the prompt that changed is told by its words', async () => {
    await using opened = await openPage(browser, world, `${wrongRun}/rows/21/0?node=agent_1`);
    const { page } = opened;
    const inspector = page.getByRole('complementary');
    await inspector.getByText('cause', { exact: true }).waitFor();
    expect(await inspector.locator('del').first().textContent()).toBe('faq_search');
    expect(await inspector.locator('ins').first().textContent()).toBe('guideline_search');
    expect(opened.complaints).toEqual([]);
  });

  test('next and previous keep to the filter and the order of the run', async () => {
    const filter = encodeURIComponent(JSON.stringify({ by: 'text', is: 'cookie' }));
    await using opened = await openPage(browser, world, `${wrongRun}?filter=${filter}&sort=-line`);
    const { page } = opened;
    await settledRows(page, /rows of 96/);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText(/ of \d+ in this filter/).waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.getByText(/^row .* 2 of \d+ in this filter/).waitFor();
    await page.keyboard.press('k');
    await page.waitForURL(first);
    expect(opened.complaints).toEqual([]);
  });

  test('hostile outputs are text: no markup, no script, marks that are not seen are boxes', async () => {
    await using opened = await openPage(browser, world, '/runs/hostile/rows/0/0');
    const { page } = opened;
    await page.getByRole('heading', { name: '<script>alert(3)</script>' }).waitFor();
    await page.locator('.unprintable', { hasText: 'RLO' }).first().waitFor();
    expect(await page.locator('.unprintable', { hasText: 'ESC' }).count()).toBeGreaterThan(0);
    expect(await page.locator('main img, main script, main b:has-text("3")').count()).toBe(0);
    expect(await page.locator('main').textContent()).toContain('<img src=x onerror=alert(1)><script>alert(2)</script>');
    expect(await page.locator('main').textContent()).not.toContain('\u001b');
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
    expect(opened.complaints).toEqual([]);
  });

  test('ten million characters begin short, and go on when asked', async () => {
    await using opened = await openPage(browser, world, '/runs/hostile/rows/2/0');
    const { page } = opened;
    const output = page.locator('.message', { hasText: 'Output' }).first();
    await output.getByRole('button', { name: /^show / }).waitFor();
    const text = output.locator('.plain-text');
    expect((await text.textContent())?.length).toBeLessThan(5000);
    await output.getByRole('button', { name: /^show / }).click();
    await output.getByRole('button', { name: 'show less' }).waitFor();
    expect((await text.textContent())?.length).toBeGreaterThan(60_000);
    expect(opened.complaints).toEqual([]);
  });
});

describe('everywhere', () => {
  test('keys: help tells those of the page, the dialog goes to a row, letters in fields are letters', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await page.locator('[data-item]').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'All keys' }).getByText('choose for comparing').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to a run' });
    await dialog.getByRole('link', { name: /right/ }).waitFor();
    await page.keyboard.type('guideline/17');
    await dialog.getByRole('link', { name: /right/ }).waitFor({ state: 'detached' });
    await dialog.getByRole('link', { name: /guideline-first/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/guideline-first/rows/17/0');
    await page.getByText('row 17 of 96').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.locator('[data-item]').first().waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(opened.complaints).toEqual([]);
  });

  test('in Japanese where the browser asks for it, switched by the reader and kept', async () => {
    await using opened = await openPage(browser, world, wrongRun, { locale: 'ja' });
    const { page } = opened;
    await page.getByRole('heading', { name: 'フロー' }).waitFor();
    await page.getByText('基準 6 件中 4 件が未達です。').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('ja');
    await page.getByRole('button', { name: 'このページを英語で表示' }).click();
    await page.getByRole('heading', { name: 'Flow' }).waitFor();
    await page.getByText('4 of 6 gates fail.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Flow' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('what is not there says so and leads out', async () => {
    await using opened = await openPage(browser, world, '/runs/no-such-run');
    const { page } = opened;
    await page.getByRole('alert').getByText('no-such-run').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'All runs' }).click();
    await page.locator('[data-item]').first().waitFor();
    await page.goto(`${world.url}/nowhere/at/all`);
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor();
    // The browser itself tells of the one answer that was 404.
    expect(opened.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test.for([
    { path: '/', ready: 'guideline-first' },
    { path: wrongRun, ready: '4 of 6 gates fail.' },
    { path: `${wrongRun}?node=agent_1&colour=status&loops=folded`, ready: '4 of 6 gates fail.' },
    { path: `${wrongRun}/rows/21/0`, ready: 'The row, turn by turn' },
    { path: '/runs/hostile', ready: 'Failures' },
    { path: '/runs/hostile/rows/1/0', ready: 'index shard' },
  ])('axe finds nothing at $path, light and dark, wide and narrow', { timeout: 180_000 }, async ({ path, ready }) => {
    await using opened = await openPage(browser, world, path);
    const { page } = opened;
    await page.getByText(ready).first().waitFor();
    if (!path.includes('rows/')) await page.getByRole('row').nth(1).waitFor();
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect({ width, colorScheme, found: await axeFindings(page) }).toEqual({ width, colorScheme, found: [] });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect({ width, overflow }).toEqual({ width, overflow: 0 });
    }
    expect(opened.complaints).toEqual([]);
  });
});

test('a run of another process is shown as it goes, and nothing moves until it is asked for', async () => {
  await using held = await startHeldAddress();
  await using opened = await openPage(browser, world, '/');
  const { page } = opened;
  await page.locator('[data-item]', { hasText: 'right' }).waitFor();
  const data = ['', '', held.url].map((url) => `${JSON.stringify({ url })}\n`).join('');
  writeFileSync(join(world.folder, 'held.jsonl'), data);
  const { ended } = startFlow(['run', 'flows/held', '--data', 'held.jsonl', '--name', 'under-way', '--quiet'], world);
  await held.asked(1);
  await page.getByText('1 new run').waitFor();
  expect(await page.locator('[data-item]', { hasText: 'under-way' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show them' }).click();
  await page.getByRole('progressbar', { name: 'under-way, rows done' }).waitFor();
  await page.getByRole('link', { name: 'under-way' }).click();
  const head = page.getByRole('heading', { level: 1, name: /under-way/ });
  await head.getByRole('img', { name: 'running' }).waitFor();
  await rowsOf(page).getByText('at once').nth(1).waitFor();
  held.release();
  await head.getByRole('img', { name: 'completed' }).waitFor();
  await page.getByRole('button', { name: /^Show them/ }).click();
  await rowsOf(page).getByText('released').waitFor();
  expect((await ended).code).toBe(0);
  expect(opened.complaints).toEqual([]);
});

test('what cannot be read again stays, and says that it is from before and why', async () => {
  const { ended } = startFlow(['run', 'flows/hostile', '--data', 'many.jsonl', '--name', 'gone', '--quiet'], world);
  await ended;
  await using opened = await openPage(browser, world, '/runs/gone');
  const { page } = opened;
  await rowsOf(page).getByText('question 0').first().waitFor();
  await page.evaluate("fetch('/api/studio/v1/runs/gone', { method: 'DELETE' }).then(({ status }) => status)");
  await page.keyboard.press('n');
  // The page says so of itself as well, once it heard of it.
  const note = page.getByRole('region', { name: /rows/ }).getByRole('alert');
  await note.getByText('What you see is from before').waitFor();
  await note.getByText('run gone').waitFor();
  await rowsOf(page).getByText('question 0').first().waitFor();
  await note.getByRole('button', { name: 'Try again' }).click();
  await note.getByText('run gone').waitFor();
});

test('when the server goes away the page stays and says so', async () => {
  using own = await createViewedWorld();
  await using opened = await openPage(browser, own, '/');
  const { page } = opened;
  await page.locator('[data-item]', { hasText: 'right' }).waitFor();
  await own.endServer();
  await page.keyboard.press('/');
  await page.keyboard.type('r');
  await page.getByText('Not connected.').first().waitFor();
  expect(await page.getByText('Failed to fetch').count()).toBe(0);
  expect(await page.locator('[data-item]', { hasText: 'right' }).count()).toBe(1);
}, 240_000);
