import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { writeFiles } from '../../packages/cli/src/testing/write-files.ts';
import { freshEngine, gatedFlow, numbers, startGate } from '../../packages/queue/src/testing/index.ts';
import { axeFindings, launchBrowser, openPage } from './studio-browser.ts';

test('who works on a run at an engine is seen as it goes, and it is stopped and gone on with from its page', {
  timeout: 240_000,
}, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-studio-engine-')));
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  await using engine = await freshEngine();
  await using gate = await startGate();
  const browser = await launchBrowser();
  await using _browser = { [Symbol.asyncDispose]: () => browser.close() };
  writeFiles(folder, { ...gatedFlow, 'n.jsonl': numbers(6) });
  const environment = { FLOW_ENGINE: engine.url, GATE: gate.url };
  const flow = (...argv: readonly string[]) => {
    const started = startFlow(argv, { folder, environment });
    return { ...started, [Symbol.dispose]: () => void started.child.kill('SIGKILL') };
  };
  const begun = flow('run', 'gated', '--data', 'n.jsonl', '--name', 'seen', '--detach', '--engine', engine.url);
  expect(await begun.ended).toMatchObject({ code: 0 });
  using viewing = flow('view', '--json', '--no-open');
  await viewing.said('"address"');
  const viewed = JSON.parse(/\{.*"address".*\}/.exec(viewing.text())?.[0] ?? '') as { address: string; url: string };
  await using opened = await openPage(browser, viewed, '/runs/seen');
  const { page } = opened;
  const atWork = page.getByRole('region', { name: 'At work' });
  await atWork.getByText('No worker is there').waitFor();
  using _worker = flow('worker', '--name', 'w1', '--concurrency', '4');
  await gate.whenAsked(4);
  const line = atWork.getByRole('row', { name: /^w1 process \d+ on / });
  await line.getByText('ask 4').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: /^Stop/ }).click();
  await atWork.getByText('No new row begins').waitFor();
  gate.open();
  await page.getByRole('button', { name: /^Go on/ }).click();
  const head = page.getByRole('heading', { level: 1, name: /seen/ });
  await head.getByRole('img', { name: 'completed' }).waitFor();
  await atWork.waitFor({ state: 'detached' });
  expect(opened.complaints).toEqual([]);
});
