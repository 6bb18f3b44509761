import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openFile } from '../studio-browser/studio-browser.ts';

/**
 * Takes the pictures of docs/studio.md and of the README: real runs of the sample agent, in a real browser. The fonts of the machine
 * write Japanese, and pngquant makes them small (Debian: fonts-noto-cjk, pngquant). Looked at by people before they are kept.
 *
 *     npx -y pnpm@10 exec node tests/house/studio-pictures.ts [NAME…]
 */
const root = join(import.meta.dirname, '../..');
const target = join(root, 'docs/pictures');
const command = join(root, 'packages/cli/bin/flow.js');

interface Picture {
  readonly name: string;
  /** Below the address of the studio; a file of the folder where it is an export. */
  readonly at: string;
  readonly height: number;
  readonly width?: number;
  readonly prepare?: (page: Page) => Promise<void>;
}

const evaluation = 'evals/privacy-agent/eval.yaml';
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

const pictures: readonly Picture[] = [
  { name: 'run', at: '/runs/guideline-first', height: 820 },
  { name: 'row', at: '/runs/guideline-first/rows/21/0', height: 760 },
  { name: 'diff', at: '/diff?left=right&right=guideline-first', height: 1000 },
  { name: 'evaluation', at: `/evaluations?path=${evaluation}&run=right&run=guideline-first`, height: 940 },
  {
    name: 'turn',
    at: '/runs/guideline-first/rows/17/0',
    height: 1000,
    prepare: async (page) => {
      await page.getByRole('complementary').getByRole('heading', { name: 'agent_1' }).waitFor();
      await press(page, 'ArrowRight');
      await page.getByRole('heading', { name: 'Conversation of agent_2' }).waitFor();
    },
  },
  { name: 'slowest', at: '/runs/right?colour=time', height: 760 },
  {
    name: 'labels',
    at: `/labels?evaluation=${evaluation}&metric=cited&run=guideline-first`,
    height: 800,
    prepare: label,
  },
  {
    name: 'playground',
    at: '/playground?run=right&line=4&node=agent_1',
    width: 1440,
    height: 1400,
    prepare: tryChange,
  },
  { name: 'chat', at: '/chat?flow=flows/bedrock-agent/flow.dag.yaml', height: 720, prepare: talk },
  { name: 'export', at: 'site/index.html', height: 520 },
];

/** Twenty rows, most of them as the metric says. */
async function label(page: Page): Promise<void> {
  for (let row = 0; row < 20; row += 1) {
    const passes = (await page.locator('.judge .ok').count()) > 0;
    await press(page, passes && row % 9 !== 6 ? '1' : '2');
    await page.getByText(`${row + 2} / 96`).waitFor();
  }
  await page.getByText('76 without a label').waitFor();
}

async function tryChange(page: Page): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'agent.jinja2' });
  await editor.fill((await editor.inputValue()).replace('まず faq_search を', 'まず guideline_search を'));
  await page.getByRole('button', { name: 'Run this row', disabled: false }).click();
  await page.getByRole('region', { name: 'With your change' }).getByRole('link', { name: 'open the row' }).waitFor();
  await page.getByRole('button', { name: /^Run 10 rows/ }).click();
  await page.getByRole('link', { name: /^Compare with/ }).waitFor();
  await page.getByText('Outputs changed in').waitFor();
}

async function talk(page: Page): Promise<void> {
  for (const [turn, said] of ['東京の天気は？', 'Which meeting rooms are free on 2026-12-03?'].entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(said);
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'open the row' }).nth(turn).waitFor();
  }
  await page.getByRole('complementary').getByRole('listitem').first().waitFor();
}

/** The sample agent, its evaluation, and two runs of it: as it is, and with a prompt that asks the guideline first. */
function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-pictures-')));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['flows/privacy-agent', 'flows/bedrock-agent', 'evals/privacy-agent'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const flow = (...argv: readonly string[]) =>
    execFileSync(process.execPath, [command, ...argv], { cwd: folder, stdio: 'ignore' });
  const run = ['run', 'flows/privacy-agent', '--data', 'evals/privacy-agent/cases.jsonl', '--quiet'];
  flow(...run, '--name', 'right');
  const prompt = join(folder, 'flows/privacy-agent/agent.jinja2');
  const before = readFileSync(prompt, 'utf8');
  writeFileSync(prompt, before.replaceAll('faq_search を', 'guideline_search を'));
  flow(...run, '--name', 'guideline-first', '--since', 'right');
  writeFileSync(prompt, before);
  flow('view', 'right', 'guideline-first', '--export', 'site');
  return folder;
}

async function take(browser: Browser, viewed: { readonly address: string; readonly url: string }, folder: string) {
  const asked = new Set(process.argv.slice(2));
  for (const { name, at, height, width = 1280, prepare } of pictures) {
    if (asked.size > 0 && !asked.has(name)) continue;
    const isFile = !at.startsWith('/');
    const address = isFile ? pathToFileURL(join(folder, at)).href : viewed.address;
    await using opened = await openFile(browser, address, { viewport: { width, height }, colorScheme: 'light' });
    const { page } = opened;
    if (!isFile) await page.goto(viewed.url + at);
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate('window.scrollTo(0, 0)');
    const path = join(target, `studio-${name}.png`);
    await page.screenshot({ path });
    execFileSync('pngquant', ['--force', '--strip', '--speed', '1', '--nofs', '--output', path, '256', '--', path]);
    process.stdout.write(`studio-${name}.png ${opened.complaints.join(' ')}\n`);
  }
}

const folder = makeFolder();
const server = spawn(process.execPath, [command, 'view', '--json', '--no-open'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const viewed = await new Promise<{ readonly address: string; readonly url: string }>((resolve) => {
    let text = '';
    server.stdout.on('data', (piece) => {
      text += String(piece);
      if (text.includes('\n')) resolve(JSON.parse(text) as { readonly address: string; readonly url: string });
    });
  });
  const browser = await launchBrowser();
  await take(browser, viewed, folder);
  await browser.close();
} finally {
  server.kill('SIGTERM');
  // What it writes still is not to be taken away from under it.
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
