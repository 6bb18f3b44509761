import type { NodeRun, NodeStatus, RowRun, RunNode } from '@unroll/engine';
import { textWidth } from '@unroll/engine/text-width';
import { createProgress, type Progress } from '@unroll/project';
import { expect, test } from 'vitest';
import { ansiSvg } from '../testing/ansi-svg.ts';
import { createTestTerminal } from '../testing/test-terminal.ts';
import { createStyle } from '../text/style.ts';
import { createLiveBlock } from './live-display.ts';
import { liveFrame } from './live-frame.ts';

const instance = (family: string, iteration: number): RunNode => {
  return { name: `${family}_${iteration}`, kind: 'llm', loop: '検索', family, iteration };
};
const nodes: readonly RunNode[] = [
  { name: '質問を整える', kind: 'python' },
  ...[1, 2, 3].flatMap((iteration) => [instance('agent', iteration), instance('function', iteration)]),
  { name: '検索', kind: 'python', loop: '検索', family: '検索', iteration: 0 },
  { name: 'mean', kind: 'python', aggregation: true },
];

function row(progress: Progress, line: number, rounds: number, rest: Partial<RowRun> = {}): void {
  progress.rowStarted();
  const end = (node: string, status: NodeStatus, more: Partial<NodeRun> = {}): void => {
    if (status !== 'Bypassed') progress.nodeStarted(node);
    progress.nodeEnded({ line, node, kind: 'python', status, durationMs: 10, ...more });
  };
  const usage = { promptTokens: 100, completionTokens: 10, totalTokens: 110 };
  end('質問を整える', 'Completed');
  for (const iteration of [1, 2, 3]) {
    end(`agent_${iteration}`, iteration <= rounds ? 'Completed' : 'Bypassed', iteration <= rounds ? { usage } : {});
    end(`function_${iteration}`, 'Completed');
  }
  end('検索', 'Completed');
  const ended = { line, status: 'Completed' as const };
  progress.rowEnded({ ...ended, ...rest });
}

function halfway(): Progress {
  const progress = createProgress({
    nodes,
    startedAt: 0,
    total: 8,
    priceOf: (node) => (node.startsWith('agent') ? { input: 2.5, output: 10 } : undefined),
  });
  row(progress, 0, 1);
  row(progress, 1, 2);
  row(progress, 2, 3, { unfinished: ['検索'] });
  progress.rowStarted();
  progress.nodeStarted('質問を整える');
  const error = { code: 'ToolExecutionError', message: 'm', retryable: false, node: '質問を整える' };
  progress.nodeEnded({ line: 3, node: '質問を整える', kind: 'python', status: 'Failed', error });
  progress.rowEnded({ line: 3, status: 'Failed', error });
  progress.rowStarted();
  progress.nodeStarted('質問を整える');
  return progress;
}

const frameOptions = {
  title: '個人情報の問い合わせ',
  about: '質問.jsonl',
  isStopping: false,
  columns: 100,
  lines: 30,
  style: createStyle(false),
};

test('a run halfway: rows, rate, tokens, cost, time left; a bar a node, the loop folded', () => {
  expect(`\n${liveFrame(halfway().view(2_000), frameOptions).join('\n')}\n`).toMatchInlineSnapshot(`
    "
    個人情報の問い合わせ  質問.jsonl  0:02
    rows           ###########xxxx>>>>...........  4 of 8  50 %  1 failed  1 unfinished  1 in flight
                                                   2.0/s  2 s left  660 tokens  $0.0021

    質問を整える   ###########xxxx>>>>...........        4  1 failed  1 in flight  10 ms
    ↻ 検索         rows by times round: 1: 1  2: 1  3: 1
      agent[*]     ########---...................        6  3 bypassed  10 ms
      function[*]  ###########...................        9  10 ms
    検索           ###########...................        3  10 ms
    mean           ..............................        0
    "
  `);
});

test('a failure is counted by its node and class, with the first row', () => {
  expect(halfway().view(2_000).failures).toEqual([
    {
      node: '質問を整える',
      code: 'ToolExecutionError',
      message: 'm',
      messages: 1,
      retryable: false,
      count: 1,
      firstRow: { line: 3, repeat: 0 },
    },
  ]);
});

test('answers from the cache cost nothing and make a row a cached one', () => {
  const progress = createProgress({
    nodes: [{ name: 'a', kind: 'llm' }],
    startedAt: 0,
    priceOf: () => ({ input: 1, output: 1 }),
  });
  progress.rowStarted();
  const usage = { promptTokens: 5, completionTokens: 5, totalTokens: 10 };
  progress.nodeEnded({ line: 0, node: 'a', kind: 'llm', status: 'Completed', cache: 'hit', usage });
  progress.rowEnded({ line: 0, status: 'Completed' });
  const view = progress.view(1_000);
  expect([view.rows.cached, view.usage, view.cost]).toEqual([1, undefined, undefined]);
});

test.for([44, 60, 80])('on %d columns what was spent is told whole', (columns) => {
  const totals = { usage: { promptTokens: 0, completionTokens: 0, totalTokens: 123_456_789 }, cost: 1234.56 };
  const view = { ...halfway().view(2_000), ...totals, isCostPartial: true, rate: 34.2, leftMs: 7_500_000 };
  const frame = liveFrame(view, { ...frameOptions, columns }).join('\n');
  expect(frame).toContain('$1,234.56 (partial)');
  expect(frame).toContain('123,456,789 tokens');
});

test('no line of a frame is wider than the terminal, and no frame higher', () => {
  const view = halfway().view(2_000);
  for (const columns of [30, 44, 60, 80, 200]) {
    for (const lines of [8, 24]) {
      const frame = liveFrame(view, { ...frameOptions, columns, lines, isStopping: true });
      expect(Math.max(...frame.map(textWidth))).toBeLessThan(columns);
      expect(frame.length).toBeLessThan(lines);
    }
  }
});

test('on a terminal a frame takes the place of the one before, also when the terminal was made narrower', async () => {
  const terminal = createTestTerminal(100, 30);
  terminal.sink.write('$ flow run\n');
  const block = createLiveBlock(terminal.sink);
  const progress = halfway();
  const drawn = async (at: number): Promise<void> => {
    const lines = liveFrame(progress.view(at), { ...frameOptions, columns: terminal.sink.columns ?? 0 });
    block.draw(lines);
    expect(await terminal.screen()).toEqual(['$ flow run', ...lines]);
  };
  await drawn(2_000);
  row(progress, 4, 1);
  await drawn(3_000);
  terminal.resize(50, 30);
  await drawn(3_100);
  terminal.resize(120, 30);
  await drawn(3_200);
  block.clear();
  expect(await terminal.screen()).toEqual(['$ flow run']);
});

test('colours: no line loses its end to a colour code', async () => {
  const terminal = createTestTerminal(60, 30);
  const frame = (isColored: boolean): readonly string[] =>
    liveFrame(halfway().view(2_000), { ...frameOptions, columns: 60, style: createStyle(isColored) });
  createLiveBlock(terminal.sink).draw(frame(true));
  const bars = /[#=\-x>.━╌]{6,}/g;
  expect((await terminal.screen()).map((line) => line.replace(bars, ''))).toEqual(
    frame(false).map((line) => line.replace(bars, '')),
  );
});

test('docs/pictures/live-display.svg is a frame of a run of a thousand rows', async () => {
  const progress = createProgress({
    nodes,
    startedAt: 0,
    total: 1000,
    priceOf: (node) => (node.startsWith('agent') ? { input: 2.5, output: 10 } : undefined),
  });
  for (let line = 0; line < 620; line += 1) row(progress, line, line % 5 === 0 ? 1 : line % 11 === 0 ? 3 : 2);
  const error = { code: 'RateLimitError', message: 'm', retryable: true, node: 'agent_1' };
  for (let line = 620; line < 640; line += 1) {
    progress.rowStarted();
    for (const node of ['質問を整える', 'agent_1']) progress.nodeStarted(node);
    progress.nodeEnded({ line, node: '質問を整える', kind: 'python', status: 'Completed', durationMs: 1 });
    if (line > 627) continue;
    progress.nodeEnded({ line, node: 'agent_1', kind: 'llm', status: 'Failed', error, durationMs: 900 });
    progress.rowEnded({ line, status: 'Failed', error });
  }
  const style = createStyle(true);
  const about = '質問.jsonl  20261121-064500-privacy-agent-a1b2';
  const frame = liveFrame(progress.view(18_600), { ...frameOptions, about, style });
  await expect(ansiSvg(frame, 100)).toMatchFileSnapshot('../../../../docs/pictures/live-display.svg');
});
