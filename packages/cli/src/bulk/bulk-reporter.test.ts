import { Readable } from 'node:stream';
import { Redactor } from '@unroll/engine';
import type { ThrottleState } from '@unroll/nodes';
import { createProgress } from '@unroll/project';
import { expect, test } from 'vitest';
import type { Io } from '../io.ts';
import { RecordDamage } from '../runs/record-damage.ts';
import { createTestTerminal } from '../testing/test-terminal.ts';
import { createStyle } from '../text/style.ts';
import { createReporter } from './bulk-reporter.ts';

/** A terminal and a clock that is turned by hand. */
function reporterWorld() {
  const terminal = createTestTerminal(80, 24);
  let now = 0;
  const timers: { readonly ms: number; readonly tick: () => void }[] = [];
  const io: Io = {
    stdout: terminal.sink,
    stderr: terminal.sink,
    folder: '/',
    environment: {},
    redactor: new Redactor(),
    damage: new RecordDamage(),
    readStdin: async () => '',
    stdin: () => Readable.from([]),
    now: () => now,
    every: (ms, tick) => {
      const timer = { ms, tick };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    randomText: () => '',
    isInteractive: false,
    ask: async () => undefined,
    interruption: () => new AbortController().signal,
  };
  const paces: ThrottleState[] = [];
  const nodes = [{ name: '翻訳', kind: 'llm' }];
  const progress = createProgress({ nodes, startedAt: 0, total: 2, paces: () => paces });
  const options = {
    progress: () => progress.view(io.now()),
    io,
    title: '翻訳',
    about: 'd.jsonl',
    style: createStyle(false),
  };
  const pass = (ms: number): void => {
    for (let spent = 0; spent < ms; spent += 100) {
      now += 100;
      for (const timer of timers) if (now % timer.ms === 0) timer.tick();
    }
  };
  return { terminal, timers, progress, options, pass, paces };
}

test('on a terminal: a picture at once and then at most ten times a second; nothing of it is left', async () => {
  const { terminal, timers, progress, options, pass } = reporterWorld();
  terminal.sink.write('$ flow run\n');
  const reporter = createReporter(options, { json: false, quiet: false });
  progress.rowStarted();
  progress.nodeStarted('翻訳');
  pass(2000);
  expect(terminal.written().split('\u001B[?2026h').length - 1).toBe(21);
  expect((await terminal.screen()).slice(0, 6)).toEqual([
    '$ flow run',
    '翻訳  d.jsonl  0:02',
    'rows  >>>>>>>>>>>>>>>...............  0 of 2  0 %  1 in flight',
    '',
    '',
    '翻訳  >>>>>>>>>>>>>>>...............        0  1 in flight',
  ]);
  reporter.stopping();
  expect((await terminal.screen()).join('\n')).toContain('stopping: no new rows, those in flight finish');
  reporter.end();
  pass(1000);
  expect([await terminal.screen(), timers]).toEqual([['$ flow run'], []]);
  expect(terminal.written().endsWith('\u001B[?25h')).toBe(true);
});

test('--quiet tells nothing while it runs', () => {
  const { terminal, options, pass } = reporterWorld();
  const reporter = createReporter(options, { json: false, quiet: true });
  pass(10_000);
  reporter.stopping();
  reporter.end();
  expect(terminal.written()).toBe('');
});

test.for([
  [{ connection: '東日本', most: 6, waitMs: 12_400 }, '東日本 is at its limit: 6 calls at a time, waits 13 s'],
  [{ connection: 'mine', most: 1, waitMs: 0 }, 'mine is at its limit: 1 call at a time'],
  [{ connection: 'mine', waitMs: 20 }, 'mine is at its limit'],
] as const)('a connection that is held back is shown: %o', async ([pace, told]) => {
  const { terminal, progress, options, pass, paces } = reporterWorld();
  paces.push(pace);
  const reporter = createReporter(options, { json: false, quiet: false });
  progress.rowStarted();
  pass(200);
  expect((await terminal.screen())[3]).toBe(told);
  paces.pop();
  pass(200);
  expect((await terminal.screen()).join('\n')).not.toContain('limit');
  reporter.end();
});
