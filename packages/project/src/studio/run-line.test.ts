import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog, type NodeRun, type RunInfo, type Usage } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordView } from '../bulk/record-view.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { readRowIndex } from '../row-index/read-row-index.ts';
import { lineView } from './run-line.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-line-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const prices = { models: { 'gpt-4o': { input: 2.5, output: 10, cached_input: 1.25 } }, from: 'here' };

const asked = (type: string, model: string) => ({ connection: `${type} named`, 'input model': model });

const info: RunInfo = {
  ...{ id: 'r', flowPath: 'f', flowName: 'f', flowDigest: '', startedAt: 0 },
  nodes: ['priced', 'free', 'unknown', 'fallen'].map((name) => ({ name, kind: 'llm' })),
  nodeDefinitions: {
    priced: asked('open_ai', 'gpt-4o'),
    free: asked('offline', 'gpt-4o'),
    unknown: asked('open_ai', 'a-model-of-ours'),
    fallen: { ...asked('offline', 'gpt-4o'), retry: '{"fallback":["other"]}' },
  },
};

const usage = (tokens: number, more: Partial<Usage> = {}): Usage => ({
  ...{ promptTokens: tokens, completionTokens: 3, totalTokens: tokens + 3 },
  ...more,
});

/** Each fifth output is taken from before; half of the prompts stood in a cache; each third call fell back to a billed one. */
function nodesOf(line: number, isSince: boolean): readonly NodeRun[] {
  const other = { connectionType: 'open_ai', model: 'gpt-4o' };
  const usages: Readonly<Record<string, Usage>> = {
    priced: usage(100 + line, line % 2 === 0 ? { details: { cachedTokens: 50 } } : {}),
    free: usage(7),
    unknown: usage(11),
    fallen: usage(13, line % 3 === 0 ? { billedAs: other } : {}),
  };
  const cache = isSince && line % 5 === 0 ? ({ cache: 'hit' } as const) : {};
  return Object.entries(usages).map(([node, used]) => ({
    ...{ line, node, kind: 'llm', status: 'Completed', usage: used },
    ...cache,
  }));
}

const view = (read: Awaited<ReturnType<typeof recordView>>) => ({
  tokens: read.usage?.totalTokens,
  cost: Number(read.cost?.toFixed(9)),
  isPartial: read.isCostPartial,
});

test.for([false, true])(
  'a line of the list counts what the whole record holds, begun since another run: %s',
  async (isSince) => {
    const options = isSince ? { options: { since: 'before' } } : {};
    await using log = createSqliteRunLog(join(folder, `${isSince}.run`), { ...info, ...options });
    for (let line = 0; line < 40; line += 1)
      await log.append(nodesOf(line, isSince), {
        ...{ line, status: 'Completed', inputs: {}, outputs: {}, startedAt: 0, durationMs: 1 },
      });
    const priceOf = recordedPrices(log.info, prices);
    const whole = view(await recordView(log, priceOf));
    expect(whole).toMatchObject({ isPartial: true });
    expect(whole.cost).toBeGreaterThan(0.001);
    expect(view(await lineView(log, prices))).toEqual(whole);
    const { tokens, costs } = await readRowIndex(log, priceOf);
    const sum = (values: readonly (number | undefined)[]): number =>
      values.reduce<number>((total, value = 0) => total + value, 0);
    expect([sum(tokens), Number(sum(costs).toFixed(9))]).toEqual([whole.tokens, whole.cost]);
  },
);

test('a run lasts until the node over all rows has ended', async () => {
  const nodes = [...info.nodes, { name: 'over', kind: 'python', aggregation: true }];
  await using log = createSqliteRunLog(join(folder, 'over.run'), { ...info, nodes, data: { total: 1 } });
  const row = { line: 0, status: 'Completed', inputs: {}, outputs: {}, startedAt: 10, durationMs: 30 } as const;
  await log.append([], row);
  await log.append([{ line: 0, node: 'over', kind: 'python', status: 'Completed', startedAt: 50, durationMs: 400 }]);
  const priceOf = recordedPrices(log.info, prices);
  expect([(await recordView(log, priceOf)).elapsedMs, (await readRowIndex(log, priceOf)).endedAt]).toEqual([450, 450]);
});
