import type { NodeRun } from '@unroll/engine';
import type { ProjectEvent, Reporter } from '@unroll/project';
import { expect, test } from 'vitest';
import { createTestTerminal } from '../testing/test-terminal.ts';
import { createWaitingReporter } from './waiting-reporter.ts';

/** A reporter of a run that has begun, and a clock that is turned by hand. */
function startedWorld(kind: 'row' | 'dataset', settings = {}) {
  const terminal = createTestTerminal(80, 24);
  const ticks = new Set<() => void>();
  let now = 0;
  const every = (_ms: number, tick: () => void) => {
    ticks.add(tick);
    return () => void ticks.delete(tick);
  };
  const report: Reporter = createWaitingReporter(settings, { steadyNow: () => now, every, stderr: terminal.sink });
  report({ type: 'run-started', kind } as ProjectEvent);
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      for (const tick of ticks) tick();
    }
  };
  const told = (): readonly string[] =>
    terminal
      .written()
      .split('\r\n')
      .join('\n')
      .split('\n')
      .filter((line) => line !== '');
  return { report, pass, told, ticks };
}

const started = (node: string): ProjectEvent => ({ type: 'node-started', line: 0, node });
const ended = (node: string): ProjectEvent => ({ type: 'node-ended', line: 0, run: { node } as NodeRun });

test('who is waited for is said every ten seconds without a word', () => {
  const { report, pass, told } = startedWorld('row');
  report(started('検索'));
  pass(5);
  report(started('agent_1'));
  pass(9);
  expect(told()).toEqual([]);
  pass(1);
  expect(told()).toEqual(['waiting for 検索 (15 s), agent_1 (10 s)']);
  report(ended('検索'));
  pass(10);
  expect(told().at(-1)).toBe('waiting for agent_1 (20 s)');
});

test('calls that fail and are made again are told with it', () => {
  const { report, pass, told } = startedWorld('row');
  const failed = (message: string): void =>
    report({ type: 'call-failed', line: 0, node: 'ask', error: { code: 'E', message, retryable: true }, waitMs: 1 });
  report(started('ask'));
  pass(4);
  failed('first');
  pass(6);
  expect(told()).toEqual(['waiting for ask (10 s; 1 call failed, the last one: first)']);
  failed('second,\n  of two lines');
  pass(10);
  expect(told().at(-1)).toBe('waiting for ask (20 s; 2 calls failed, the last one: second, of two lines)');
  report(ended('ask'));
});

test('text that comes, a node that ends and a run that ended are no silence', () => {
  const { report, pass, told, ticks } = startedWorld('row');
  report(started('ask'));
  for (let piece = 0; piece < 5; piece += 1) {
    pass(8);
    report({ type: 'text', line: 0, node: 'ask', text: 'a' });
  }
  report(ended('ask'));
  pass(60);
  report({ type: 'run-ended' } as ProjectEvent);
  expect([told(), ticks.size]).toEqual([[], 0]);
});

test.each([
  ['dataset', {}],
  ['row', { json: true }],
  ['row', { quiet: true }],
] as const)('nothing is said of a %s with %o', (kind, settings) => {
  const { report, pass, told } = startedWorld(kind, settings);
  report(started('ask'));
  pass(60);
  expect(told()).toEqual([]);
});
