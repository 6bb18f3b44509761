import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { unpackedChromium } from './chromium.ts';
import type { ViewedWorld } from './viewed-world.ts';

export async function launchBrowser(): Promise<Browser> {
  // Without the arguments that come with it: those emulate a graphics card, and let a page read any other.
  return await playwright.launch(await unpackedChromium());
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the console, what the policy refused, dialogs. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for. */
  readonly asked: readonly string[];
}

/** A page of the studio in a context of its own, English unless said otherwise. */
export async function openPage(
  browser: Browser,
  world: Pick<ViewedWorld, 'address' | 'url'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const opened = await openFile(browser, world.address, options);
  if (path !== '/') await opened.page.goto(world.url + path);
  return opened;
}

/** The same of any address, of a file as well. */
export async function openFile(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address);
  return { page, complaints, asked, [Symbol.asyncDispose]: () => context.close() };
}

/** The rows of a run, once they are those that filter and sort ask for: keys go to what is shown. */
export async function settledRows(page: Page, heading: RegExp): Promise<void> {
  await page.locator('section[aria-labelledby=rows-title][aria-busy=false]').waitFor();
  await page.getByRole('heading', { name: heading }).waitFor();
}

interface AxeFinding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds on the page as it stands: each rule with its first element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // It would ask for the style sheets again, which no page on disk may.
  const preload = page.url().startsWith('http');
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const options = JSON.stringify({ runOnly: tags, preload, resultTypes: ['violations'] });
  // What it passed is every element of the page, for each rule: it is neither gathered nor sent from the browser.
  const violations = await page.evaluate<readonly AxeFinding[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}\n${nodes[0]?.failureSummary}`);
}
