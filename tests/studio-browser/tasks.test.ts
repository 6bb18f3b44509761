import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { startHeldAddress } from '../../packages/server/src/testing/served-world.ts';
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

/** Presses keys on the first page, once it is there, and those that follow. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const firstPage = async (page: Page): Promise<void> => {
  await page.locator('[data-item]', { hasText: 'guideline-first' }).waitFor();
};

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });

describe("a stranger's tasks from the first page, each by at most five keys", () => {
  test('the rows that got worse since the run before, and why: four', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await firstPage(page);
    await press(page, 'j', 'j', 'j', 'd');
    await verdictOf(page).getByText('Cause:').waitFor();
    await verdictOf(page).getByText('(prompt agent.jinja2 changed').waitFor();
    await page.locator('.pick').first().and(page.locator('[aria-current]')).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('what the second turn of the agent saw in row 17: three, and the name of the row', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await firstPage(page);
    await press(page, 'Control+k');
    // Whoever types fast does not wait for the list.
    await page.keyboard.type('guideline/17');
    await press(page, 'Enter');
    await page.getByRole('complementary').getByRole('heading', { name: 'agent_1' }).waitFor();
    await press(page, 'ArrowRight');
    await page.getByRole('heading', { name: 'Conversation of agent_2' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('the slowest and the dearest node: five', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await firstPage(page);
    await press(page, 'j', 'j', 'j', 'Enter');
    await page.waitForURL('**/runs/guideline-first*');
    await verdictOf(page).getByText('takes most tokens:').waitFor();
    // By how long each node takes: those of a run on a fast machine take no millisecond, of which the verdict is silent.
    await page.getByRole('button', { name: /^time, / }).waitFor();
    await press(page, 'm');
    await page.waitForURL('**colour=*');
    // Scores got worse, and no other figure is marked by it.
    await page.getByRole('button', { name: /^time, /, pressed: true }).waitFor();
    expect(await page.getByRole('list', { name: 'The flow, turn by turn' }).getByText('▼').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test('labels without the mouse, and how far the judge agrees: two, and one a row', async () => {
    await using opened = await openPage(browser, world, '/');
    const { page } = opened;
    await firstPage(page);
    await press(page, 'g', 'l');
    await page.getByText('1 / 96').waitFor();
    await page.getByRole('region', { name: 'Agreement' }).getByText('0 rows').waitFor();
    for (let row = 0; row < 20; row += 1) {
      await press(page, row % 4 === 0 ? '2' : '1');
      await page.getByText(`${row + 2} / 96`).waitFor();
    }
    await page.getByRole('region', { name: 'Agreement' }).getByText(/^κ /).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});

test('a run whose gates fail needs a look, and says so in the list', async () => {
  await using opened = await openPage(browser, world, '/?filter=needs-look');
  const { page } = opened;
  await page.locator('[data-item]', { hasText: 'guideline-first' }).waitFor();
  await page.getByText('4 of 6 gates fail.').waitFor();
  expect(await page.locator('[data-item]', { hasText: /^right$/ }).count()).toBe(0);
  expect(opened.complaints).toEqual([]);
});

test('a run is begun once what it takes was shown, stopped, gone on with at another pace, and removed, by keys', async () => {
  await using held = await startHeldAddress();
  const data = 'flows/held/rows.jsonl';
  mkdirSync(dirname(join(world.folder, data)), { recursive: true });
  const rows = [held.url, '', ''].map((url) => `${JSON.stringify({ url })}\n`);
  writeFileSync(join(world.folder, data), rows.join(''));
  await using opened = await openPage(browser, world, '/');
  const { page } = opened;
  await firstPage(page);
  await page.getByRole('button', { name: /^Begin a run/ }).waitFor();
  await press(page, 'b');
  const dialog = page.getByRole('dialog', { name: 'Begin a run' });
  await dialog.getByLabel('Flow').fill('flows/none');
  await dialog.getByRole('alert').first().waitFor();
  await dialog.getByLabel('Flow').fill('flows/held');
  await dialog.getByLabel('Data').fill(data);
  await dialog.getByLabel('Rows at a time').fill('1');
  await dialog.getByLabel(/^Name/).fill('begun-here');
  await dialog.getByRole('region', { name: 'What it takes' }).getByText('3', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: /^Begin/ }).click();
  await page.waitForURL('**/runs/begun-here*');
  await held.asked(1);
  await page.getByRole('button', { name: /^Stop/ }).waitFor();
  expect(await page.getByLabel('Rows at a time').inputValue()).toBe('1');
  await press(page, 'S');
  // It goes once no row begins any more: a row that ends before would let the next one begin.
  await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' });
  held.release();
  await page.getByRole('button', { name: /^Go on/ }).waitFor();
  await press(page, 'G');
  await page.getByRole('img', { name: 'completed' }).first().waitFor();
  await page.getByRole('button', { name: /^Remove/ }).waitFor();
  await press(page, 'X');
  await page.getByRole('dialog', { name: 'Remove begun-here?' }).getByRole('button', { name: 'Remove it' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.locator('[data-item]', { hasText: 'begun-here' }).waitFor({ state: 'detached' });
  // That of the flow that is not there.
  expect(opened.complaints.filter((one) => !one.includes('404 (Not Found)'))).toEqual([]);
});

test('a studio that only looks has no button that changes something', async () => {
  const server = startFlow(['view', '--json', '--no-open', '--read-only'], { folder: world.folder });
  await Promise.race([server.said('"address"'), server.ended]);
  const { address, url } = JSON.parse(/\{.*"address".*\}/.exec(server.text())?.[0] ?? '{}') as Record<string, string>;
  const readOnly = { ...world, address: address ?? '', url: url ?? '' };
  try {
    await using opened = await openPage(browser, readOnly, '/runs/hostile');
    const { page } = opened;
    await page.getByText('read only').waitFor();
    await page.getByText('TypeError').first().waitFor();
    expect(await page.getByRole('button', { name: /^(Stop|Go on|Run the failed|Remove)/ }).count()).toBe(0);
    await page.goto(`${url}/`);
    await firstPage(page);
    expect(await page.getByRole('button', { name: /^Begin/ }).count()).toBe(0);
    await page.goto(`${url}/runs/right/rows/17/0`);
    await page.getByRole('heading', { name: 'Nodes in time' }).waitFor();
    await press(page, 'l');
    await page.waitForURL('**/labels?run=right&line=17&repeat=0');
    await page.getByRole('heading', { name: 'row 17' }).waitFor();
    expect(await page.getByRole('radio', { disabled: false }).count()).toBe(0);
    expect(await page.getByRole('radio').count()).toBe(8);
    expect(await page.getByRole('button', { name: /^(Save|Accept)/ }).count()).toBe(0);
  } finally {
    server.child.kill('SIGKILL');
  }
});
