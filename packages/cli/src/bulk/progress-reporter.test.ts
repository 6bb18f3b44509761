import { Readable } from 'node:stream';
import { checkFlow, createFlowFiles, type Plan, Redactor } from '@unroll/engine';
import { nodeTypes, type ThrottleState } from '@unroll/nodes';
import { createProgress, type Reporter } from '@unroll/project';
import { expect, test } from 'vitest';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { RecordDamage } from '../runs/record-damage.ts';
import { createTestTerminal } from '../testing/test-terminal.ts';
import { englishWords } from '../text/reader-words.ts';
import { createProgressReporter } from './progress-reporter.ts';

function planNamed(name: string): Plan {
  const options = { nodeTypes: nodeTypes(), connections: { find: () => undefined, names: () => [] } };
  const files = createFlowFiles(import.meta.dirname, import.meta.dirname);
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text: 'outputs: {}\nnodes: []\n' }, { ...options, files });
  if (plan === undefined) throw new Error('the flow is wrong');
  return { ...plan, name };
}

/** A terminal and a clock that is turned by hand. */
function reporterWorld({ isTerminal = true } = {}) {
  const terminal = createTestTerminal(80, 24);
  let now = 0;
  const timers: { readonly ms: number; readonly tick: () => void }[] = [];
  const io: Io = {
    stdout: terminal.sink,
    stderr: { ...terminal.sink, isTerminal },
    folder: '/',
    environment: {},
    words: englishWords,
    redactor: new Redactor(),
    closing: [],
    damage: new RecordDamage(),
    readStdin: async () => '',
    stdin: () => Readable.from([]),
    now: () => now,
    steadyNow: () => now,
    every: (ms, tick) => {
      const timer = { ms, tick };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    randomText: () => '',
    isInteractive: false,
    language: 'en',
    ask: async () => undefined,
    interruption: () => new AbortController().signal,
  };
  const paces: ThrottleState[] = [];
  const nodes = [{ name: '翻訳', kind: 'llm' }];
  const progress = createProgress({ nodes, startedAt: 0, total: 2, paces: () => paces });
  /** A reporter of a run that has begun. */
  const begun = (settings: OutputSettings = {}): Reporter => {
    const reporter = createProgressReporter({ color: false, ...settings }, io);
    reporter({
      type: 'run-started',
      kind: 'dataset',
      isResumed: false,
      total: 2,
      about: 'd.jsonl',
      data: 'd.jsonl',
      plan: planNamed('翻訳'),
      record: { id: 'r', file: '/r.run', path: 'r.run' },
      progress: () => progress.view(io.now()),
    });
    return reporter;
  };
  const pass = (ms: number): void => {
    for (let spent = 0; spent < ms; spent += 100) {
      now += 100;
      for (const timer of timers) if (now % timer.ms === 0) timer.tick();
    }
  };
  return { terminal, timers, progress, begun, pass, paces };
}

test('on a terminal: a picture at once and then at most ten times a second; nothing of it is left', async () => {
  const { terminal, timers, progress, begun, pass } = reporterWorld();
  terminal.sink.write('$ flow run\n');
  const reporter = begun();
  progress.rowStarted();
  progress.nodeStarted('翻訳');
  pass(2000);
  expect(terminal.written().split('\u001B[?2026h').length - 1).toBe(21);
  expect((await terminal.screen()).slice(0, 6)).toEqual([
    '$ flow run',
    '翻訳  d.jsonl  r  0:02',
    'rows  >>>>>>>>>>>>>>>...............  0 of 2  0 %  1 in flight',
    '',
    '',
    '翻訳  >>>>>>>>>>>>>>>...............        0  1 in flight',
  ]);
  reporter({ type: 'run-stopping' });
  expect((await terminal.screen()).join('\n')).toContain('stopping: no new rows, those in flight finish');
  reporter({ type: 'rows-ended', stopped: false });
  pass(1000);
  expect([await terminal.screen(), timers]).toEqual([['$ flow run'], []]);
  expect(terminal.written().endsWith('\u001B[?25h')).toBe(true);
});

test('no terminal: what an interrupted run still waits for, also where only the aggregation is left', () => {
  const { terminal, begun, progress } = reporterWorld({ isTerminal: false });
  const reporter = begun();
  progress.nodeStarted('翻訳');
  reporter({ type: 'run-stopping' });
  reporter({ type: 'rows-ended', stopped: true });
  expect(terminal.written()).toContain('stopping: no new rows; waiting for 翻訳 1; interrupt again to end at once\n');
});

test('--quiet tells nothing while it runs', () => {
  const { terminal, begun, pass } = reporterWorld();
  const reporter = begun({ quiet: true });
  pass(10_000);
  reporter({ type: 'run-stopping' });
  reporter({ type: 'rows-ended', stopped: false });
  expect(terminal.written()).toBe('');
});

test('calls that fail and are made again are shown until one of the node ends, where its connection is not at its limit', async () => {
  const { terminal, progress, begun, pass, paces } = reporterWorld();
  const reporter = begun();
  progress.rowStarted();
  progress.nodeStarted('翻訳');
  progress.callFailed('翻訳', 'APIConnectionError');
  progress.callFailed('翻訳', 'InternalServerError');
  pass(200);
  expect((await terminal.screen())[3]).toBe('翻訳: 2 calls again after InternalServerError');
  paces.push({ connection: 'mine', waitMs: 20 });
  pass(200);
  expect((await terminal.screen()).join('\n')).not.toContain('again');
  paces.pop();
  progress.nodeEnded({ line: 0, node: '翻訳', kind: 'llm', status: 'Completed', durationMs: 1 });
  pass(200);
  expect((await terminal.screen()).join('\n')).not.toContain('again');
  reporter({ type: 'rows-ended', stopped: false });
});

test.for([
  [{ connection: '東日本', most: 6, waitMs: 12_400 }, '東日本 is at its limit: 6 calls at a time, waits 13 s'],
  [{ connection: 'mine', most: 1, waitMs: 0 }, 'mine is at its limit: 1 call at a time'],
  [{ connection: 'mine', waitMs: 20 }, 'mine is at its limit'],
] as const)('a connection that is held back is shown: %o', async ([pace, told]) => {
  const { terminal, progress, begun, pass, paces } = reporterWorld();
  paces.push(pace);
  const reporter = begun();
  progress.rowStarted();
  pass(200);
  expect((await terminal.screen())[3]).toBe(told);
  paces.pop();
  pass(200);
  expect((await terminal.screen()).join('\n')).not.toContain('limit');
  reporter({ type: 'rows-ended', stopped: false });
});
