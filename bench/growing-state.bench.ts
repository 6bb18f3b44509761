import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareRuns,
  createSqliteRunLog,
  type JsonObject,
  type NodeRun,
  openSqliteRunReader,
  type RowRun,
  type RunInfo,
} from '../packages/engine/src/index.ts';
import { alignNodes, diffRuns, mergeRuns } from '../packages/evals/src/index.ts';
import { ownCpuSeconds } from './process.ts';

/**
 * An agent of 8 iterations whose state grows by one search result each time, short ones and long ones: bytes on disk of a row,
 * and CPU of recording it, of reading it, of reading all answers and of comparing two such runs. What a node gets is what another one gave, so that
 * every state is recorded twice, as an output and as the input of those that read it.
 */
const iterations = 8;
const folder = mkdtempSync(join(tmpdir(), 'flow-state-'));
const words =
  '個人データ 委託先 監督 安全管理措置 同意 第三者提供 利用目的 開示請求 漏えい 本人 公表 保有 匿名加工情報 仮名加工情報'.split(
    ' ',
  );
let state = 1;

function text(length: number): string {
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return words[Math.floor((state / 0x80000000) * words.length)];
  }).join('の');
}

function rowOf(
  line: number,
  answer: string,
  resultWords: number,
): { readonly nodes: readonly NodeRun[]; readonly row: RowRun } {
  const query = `第${line}問 ${text(6)}`;
  const ended = { line, status: 'Completed', startedAt: 1.7e12 + line, durationMs: 3.25 } as const;
  const usage = { promptTokens: 900, completionTokens: 40, totalTokens: 940 };
  const nodes: NodeRun[] = [];
  let known: JsonObject = { finished: false, query, function_results: [] };
  for (let turn = 1; turn <= iterations; turn += 1) {
    const asked = { name: 'search', arguments: JSON.stringify({ query: text(4) }) };
    const message = { role: 'assistant', content: null, function_call: asked };
    nodes.push({ ...ended, node: `agent_${turn}`, kind: 'llm', inputs: { state: known }, output: message, usage });
    const found = { ...asked, content: text(resultWords) };
    // As a function of another process gives it: nothing of it is the same object.
    const next = JSON.parse(
      JSON.stringify({
        ...known,
        finished: turn === iterations,
        function_results: [...(known['function_results'] as []), found],
      }),
    ) as JsonObject;
    nodes.push({ ...ended, node: `function_${turn}`, kind: 'python', inputs: { state: known, message }, output: next });
    known = next;
  }
  const output = { status: 'answered', answer: `${answer}${line}` };
  nodes.push({ ...ended, node: 'search', kind: 'loop', inputs: { state: known }, output });
  return { nodes, row: { ...ended, inputs: { query }, outputs: { answer: output.answer, state: known } } };
}

interface Size {
  readonly count: number;
  /** Words of what one search finds. */
  readonly resultWords: number;
}

const names = Array.from({ length: iterations }, (_, at) => [`agent_${at + 1}`, `function_${at + 1}`]).flat();
const info: RunInfo = {
  id: 'r',
  flowPath: 'f',
  flowName: 'f',
  flowDigest: 'd',
  startedAt: 0,
  nodeDefinitions: {},
  nodes: [...names, 'search'].map((name) => ({ name, kind: 'python' })),
};

async function write(path: string, answer: string, { count, resultWords }: Size): Promise<number> {
  state = 1;
  const rows = Array.from({ length: count }, (_, line) => rowOf(line, answer, resultWords));
  const before = ownCpuSeconds();
  {
    await using store = createSqliteRunLog(path, info);
    for (const { nodes, row } of rows) {
      for (const node of nodes) void store.append([node]);
      await store.append([], row);
    }
  }
  return ((ownCpuSeconds() - before) * 1e6) / count;
}

/** CPU milliseconds. */
async function cpuOf(work: () => unknown): Promise<number> {
  const start = ownCpuSeconds();
  await work();
  return (ownCpuSeconds() - start) * 1000;
}

async function measure(size: Size): Promise<void> {
  const { count, resultWords } = size;
  const [left, right] = [join(folder, `left-${resultWords}.run`), join(folder, `right-${resultWords}.run`)];
  const cpu = [await write(left, 'はい', size), await write(right, 'いいえ', size)];
  for (let at = 0; at < 3; at += 1) {
    rmSync(right);
    cpu.push(await write(right, 'いいえ', size));
  }
  cpu.sort((one, other) => one - other);
  const json = Array.from({ length: 20 }, (_, line) =>
    Buffer.byteLength(JSON.stringify(rowOf(line, 'はい', resultWords))),
  );
  const plain = json.reduce((sum, bytes) => sum + bytes, 0) / json.length;
  process.stdout.write(
    `JSON of a row ${(plain / 1024).toFixed(0)} kB, on disk ${(statSync(left).size / count / 1024).toFixed(2)} kB, CPU of recording it ${(cpu[2] ?? 0).toFixed(0)} us (${(cpu[0] ?? 0).toFixed(0)}-${(cpu.at(-1) ?? 0).toFixed(0)})\n`,
  );
  for (let at = 0; at < 3; at += 1) await measureReading([left, right], size);
}

async function measureReading([left, right]: readonly [string, string], { count }: Size): Promise<void> {
  await using one = openSqliteRunReader(left);
  await using other = openSqliteRunReader(right);
  const trace = await cpuOf(async () => {
    for (let at = 0; at < 100; at += 1) await one.nodes((at * 619) % count);
  });
  const answers = await cpuOf(async () => {
    for await (const rows of one.readRows({ nodes: ['agent_1', 'search'] })) void rows;
  });
  const everything = await cpuOf(async () => {
    for await (const records of one.records()) void records;
  });
  const diff = await cpuOf(async () => {
    const aligned = alignNodes(one.info, other.info);
    using compared = await compareRuns({ path: left, store: one }, { path: right, store: other }, { aligned });
    return diffRuns(compared, mergeRuns(one.info, other.info, aligned), { byIteration: false });
  });
  process.stdout.write(
    `  CPU: one row's trace ${(trace / 100).toFixed(2)} ms; of ${count} rows: answers ${answers.toFixed(0)} ms, everything ${everything.toFixed(0)} ms, diff ${diff.toFixed(0)} ms\n`,
  );
}

try {
  await measure({ count: 1000, resultWords: 60 });
  await measure({ count: 200, resultWords: 400 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
