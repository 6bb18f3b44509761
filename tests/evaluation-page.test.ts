import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { compareResults, type EvalResult, judgeBaseline } from '@unroll/evals';
import { agentMade, madeResult } from '@unroll/evals/testing';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluationPage } from '../packages/cli/src/eval/write-reports.ts';

const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>"\' & 個人情報の第三者提供';

/** Everything a page can show: Japanese, markup in values, a family, flips, gates, a baseline. */
function richResult(): EvalResult {
  const run = (id: string, digest: string) => ({
    run: { id, flow: 'privacy_agent', startedAt: Date.UTC(2026, 10, 21), made: agentMade({ 'faq.jsonl': digest }) },
  });
  const metrics = (found: string, step: number) => [
    { name: 'first_tool', node: 'agent_1', on: 'agent_1.tool_calls[0].function.name', scores: '1'.repeat(40) },
    { name: '検索の再現率', node: 'function_1', on: 'function_1.function_results[-1].content', scores: found },
    {
      name: 'latency',
      on: 'row',
      unit: 'ms' as const,
      better: 'lower' as const,
      scores: Array.from({ length: 40 }, (_, row) => 300 + ((row * step) % 400)),
    },
    {
      name: 'grounded_by_turn',
      node: 'function',
      on: 'function[*]',
      scores: '1'.repeat(40),
      iterations: [1, 2].map((iteration) => ({
        iteration,
        mean: 0.4 * iteration,
        scored: 40,
        unscored: [],
        errors: 0,
        interval: { low: 0.4 * iteration - 0.1, high: 0.4 * iteration + 0.1 },
      })),
    },
  ];
  const before = madeResult(metrics('1'.repeat(40), 37), run('20261120-180000-privacy-agent-aaaa', 'a'.repeat(32)));
  const after = madeResult(metrics(`${'0'.repeat(20)}${'1'.repeat(20)}`, 53), {
    ...run('20261121-064500-privacy-agent-bbbb', 'b'.repeat(32)),
    firstBad: [
      {
        node: 'function_1',
        kind: '検索の再現率',
        rows: 20,
        examples: [{ line: 0, repeat: 0, expected: ['faq-001'], actual: evil }],
      },
    ],
    families: [
      {
        family: 'function',
        iterations: [
          { iteration: 1, ran: 40, finished: 3, rightByNow: 3, tokens: 12_000 },
          { iteration: 2, ran: 37, finished: 37, rightByNow: 20, tokens: 9000 },
        ],
        stopped: { right: 30, tooEarly: 5, tooLate: 5, never: 0 },
        recommendedTimes: 2,
      },
    ],
  });
  return judgeBaseline(compareResults(before, after), () => ({ noWorseThan: 'baseline' }));
}

describe('the page of an evaluation, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flow-page-'));
  const file = join(folder, 'eval.html');
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(file, await evaluationPage(richResult()));
    // The first time it is unpacked into the folder for temporary files.
    const executablePath = await chromium.executablePath();
    // In a process of its own a page can be closed without the browser.
    browser = await playwright.launch({
      executablePath,
      args: chromium.args.filter((one) => one !== '--single-process'),
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  interface Opened {
    readonly page: Page;
    readonly complaints: readonly string[];
    readonly requests: readonly string[];
  }

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    return { page, complaints, requests };
  }

  test.for([
    { width: 1280, scheme: 'light' as const },
    { width: 1280, scheme: 'dark' as const },
    { width: 1100, scheme: 'light' as const },
    { width: 700, scheme: 'light' as const },
    { width: 390, scheme: 'light' as const },
  ])(
    '$width pixels wide, $scheme: nothing complains, nothing is fetched, nothing sticks out',
    async ({ width, scheme }) => {
      const { page, complaints, requests } = await open(width, scheme);
      const wide = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect({ complaints, requests, wide, paper }).toEqual({
        complaints: [],
        requests: [pathToFileURL(file).href],
        wide: 0,
        paper: scheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)',
      });
      // On a screen as narrow as a phone's the flow is scrolled; everything else fits everywhere.
      const scrolled = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('.wide, .picture')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)",
      );
      expect(scrolled).toEqual(width === 390 ? ['The flow'] : []);
      await page.close();
    },
  );

  test.for([1280, 700])('%i pixels wide: of the two drawings of the flow one is seen, whole', async (width) => {
    const { page } = await open(width, 'light');
    const seen = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('.picture svg')].map((one) => one.getBoundingClientRect().width).filter((pixels) => pixels > 0)",
    );
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBeLessThan(width);
    await page.close();
  });

  test('a reader sees the verdict, the metrics, the cause and the failing rows', async () => {
    const { page } = await open(1280, 'light');
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
    const text = await page.locator('body').innerText();
    for (const seen of [
      '1 of 4 gates fails: 検索の再現率.',
      'First bad node: function_1 (検索の再現率 is worse in 20 rows).',
      'Cause: function (data faq.jsonl changed).',
      '0 fixed, 20 broken',
      'not significant',
      '個人情報の第三者提供',
      '<script>alert(1)</script>',
      'stopped right 30, too early 5, too late 5, never 0',
    ]) {
      expect(text).toContain(seen);
    }
    expect(await page.locator('script, img').count()).toBe(0);
    expect(await page.locator('svg.interval').count()).toBe(4);
    expect(await page.locator('svg.iterations').count()).toBe(2);
    await page.close();
  });

  test('colours of the drawn flow stay in the drawing: red for the node that is bad', async () => {
    const { page } = await open(1280, 'light');
    const fill = (name: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(
        [...document.querySelectorAll('.picture g')]
          .find((group) => group.querySelector('.title')?.textContent.startsWith('${name}'))
          .querySelector('.box')
      ).fill`);
    expect([await fill('function'), await fill('agent'), await fill('format_input')]).toEqual([
      'rgb(254, 226, 226)',
      'rgb(236, 253, 245)',
      'rgb(248, 250, 252)',
    ]);
    const ticks = await page.evaluate<readonly string[]>(
      "[...new Set([...document.querySelectorAll('.interval .tick')].map((tick) => getComputedStyle(tick).fill))]",
    );
    expect(ticks).toEqual(['rgb(71, 85, 105)']);
    await page.close();
  });

  test('everything is reached by the keyboard, and failing rows fold', async () => {
    const { page } = await open(1280, 'light');
    const focused =
      "document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)";
    const reached: string[] = [];
    for (let step = 0; step < 14; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>(focused));
    }
    expect(reached).toEqual(
      expect.arrayContaining(['A Metrics', 'DIV Metrics', 'DIV The flow', 'DIV Rows that turned']),
    );
    const details = page.locator('details').first();
    await details.locator('summary').focus();
    expect(await details.getAttribute('open')).toBe('');
    await page.keyboard.press('Enter');
    expect(await details.getAttribute('open')).toBeNull();
    await page.close();
  });
});
