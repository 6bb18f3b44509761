import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createSqliteRunLog,
  type JsonValue,
  type NodeRun,
  type RunInfo,
  type RunNode,
} from '../packages/engine/src/index.ts';

/**
 * Scoring of recorded rows of an agent of three turns (8 nodes, 2 kB a row) with five cheap metrics. Targets: 100,000 rows
 * in 5 s; memory flat but for the columns of scores.
 */
const root = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'flow-eval-'));

const turns = [1, 2, 3].flatMap((iteration): readonly RunNode[] =>
  ['agent', 'function'].map((family) => {
    return {
      name: `${family}_${iteration}`,
      kind: family === 'agent' ? 'llm' : 'python',
      loop: 'search',
      family,
      iteration,
    };
  }),
);
const nodes: readonly RunNode[] = [
  { name: 'format_input', kind: 'python' },
  ...turns,
  { name: 'search', kind: 'python' },
];

async function writeRun(rows: number): Promise<readonly [run: string, data: string]> {
  const path = join(folder, `${rows}.run`);
  const info: RunInfo = {
    id: 'bench',
    flowPath: 'f',
    flowName: 'f',
    flowDigest: 'd',
    startedAt: 0,
    nodes,
    outputs: [{ name: 'answer', reads: 'search' }],
    columnMapping: { query: '${data.query}' },
  };
  await using store = createSqliteRunLog(path, info);
  const data: string[] = [];
  for (let line = 0; line < rows; line += 1) {
    const { runs, inputs, outputs, expected } = rowOf(line);
    const written = store.append(runs, { line, status: 'Completed', inputs, outputs, startedAt: 0, durationMs: 1 });
    data.push(JSON.stringify({ ...inputs, expected }));
    if (line % 1000 === 999) await written;
  }
  const file = join(folder, `${rows}.jsonl`);
  writeFileSync(file, `${data.join('\n')}\n`);
  return [path, file];
}

function rowOf(line: number) {
  const query = `第${line}問 委託先に個人データを渡すとき、本人の同意は要りますか`;
  const hits = [0, 1, 2].map(
    (at) => `[faq-${(line + at * 7) % 100}] 委託先の監督\n${'個人データの取扱いを委託する場合。'.repeat(6)}`,
  );
  const content = hits.join('\n\n');
  const answer = `「faq-${line % 100}」によると、同意は要りません（${line}）。`;
  const state = { finished: false, query, function_results: [] };
  const found = { ...state, function_results: [{ name: 'faq_search', arguments: { query }, content }] };
  const message = {
    role: 'assistant',
    content: null,
    function_call: { name: 'faq_search', arguments: JSON.stringify({ query }) },
  };
  const done = { finished: true, content: answer };
  const usage = { promptTokens: 400 + (line % 50), completionTokens: 30, totalTokens: 430 + (line % 50) };
  const node = (name: string, output: JsonValue, more: Partial<NodeRun> = {}): NodeRun => {
    const fingerprint = (line * 10).toString(16).padStart(32, '0');
    return {
      line,
      node: name,
      kind: 'python',
      status: 'Completed',
      inputs: { state },
      output,
      fingerprint,
      startedAt: 0,
      durationMs: 1,
      ...more,
    };
  };
  const runs = [
    node('format_input', state),
    node('agent_1', message, { kind: 'llm', usage }),
    node('function_1', found),
    node('agent_2', { role: 'assistant', content: answer }, { kind: 'llm', usage, inputs: { state: found } }),
    node('function_2', done),
    node('agent_3', null, { kind: 'llm', status: 'Bypassed' }),
    node('function_3', done),
    node('search', { status: 'answered', answer }),
  ];
  const expected = {
    function: line % 10 === 0 ? 'guideline_search' : 'faq_search',
    ids: [`faq-${line % 100}`, `faq-${(line + 3) % 100}`],
    turn: 2,
    word: line % 5 === 0 ? '同意が要ります' : '同意は要りません',
  };
  return { runs, inputs: { query }, outputs: { answer }, expected };
}

try {
  for (const rows of [10_000, 30_000, 100_000]) {
    const files = await writeRun(rows);
    const costs = Array.from({ length: 3 }, () => {
      const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'eval-once.ts'), ...files], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as {
        readonly cpuSeconds: number;
        readonly wallSeconds: number;
        readonly peakMegabytes: number;
        readonly told: unknown;
      };
    });
    const median = (pick: (cost: (typeof costs)[number]) => number): string =>
      (costs.map(pick).sort((one, other) => one - other)[1] ?? 0).toFixed(2);
    process.stdout.write(
      `${rows} rows, 5 metrics: wall ${median((cost) => cost.wallSeconds)} s, CPU ${median((cost) => cost.cpuSeconds)} s, peak ${median((cost) => cost.peakMegabytes)} MB\n`,
    );
    process.stdout.write(`  ${JSON.stringify(costs[0]?.told)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
