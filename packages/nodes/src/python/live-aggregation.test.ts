import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryRunLog, runBulk } from '@unroll/engine';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-live-aggregation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const head = 'from promptflow.core import tool\n';
// Rows wait for each other, so that they run in two workers.
const meet = `
    import os, time
    open(os.path.join(os.getcwd(), "here-" + str(n)), "w").close()
    while len([name for name in os.listdir() if name.startswith("here-")]) < 2:
        time.sleep(0.01)
`;
writeFileSync(
  join(folder, 'line.py'),
  `${head}from decimal import Decimal\nclass Own:\n    pass\n@tool\ndef f(n: int):${meet}    return {"money": Decimal(n) / 4, "own": Own(), "pid": os.getpid()}\n`,
);
writeFileSync(
  join(folder, 'total.py'),
  `${head}@tool\ndef f(results, money):\n    return [str(sum(money)), [type(r["money"]).__name__ for r in results], type(results[0]["own"]).__name__, len({r["pid"] for r in results})]\n`,
);
const text = `
inputs: {n: {type: int}}
outputs: {o: {type: string, reference: "\${line.output.pid}"}}
nodes:
- {name: line, type: python, source: {type: code, path: line.py}, inputs: {n: "\${inputs.n}"}}
- {name: total, type: python, aggregation: true, source: {type: code, path: total.py}, inputs: {results: "\${line.output}", money: "\${line.output.money}"}}
`;

test('aggregation nodes get the objects of all rows, whichever worker made them; what no worker can make again, as text', async () => {
  await using flow = await openWrittenFlow(text, folder);
  const info = { id: 'r', flowPath: folder, flowName: 'f', flowDigest: '', startedAt: 0, nodes: [] };
  await using store = createMemoryRunLog(info);
  const rows = [1, 2].map((n, line) => ({ line, values: { n } }));
  const { aggregation } = await runBulk(flow, rows, store, { runId: 'r', concurrency: 2 });
  expect(aggregation[0]?.error).toBeUndefined();
  expect(aggregation[0]?.output).toEqual(['0.75', ['Decimal', 'Decimal'], 'str', 2]);
});
