import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestWorld, type TestWorld, type TestWorldOptions } from './test-io.ts';
import { writeFiles } from './write-files.ts';

/** A world with the flow `double` and the numbers 0 to 11: 3 fails until `mended` is there, -1 never ends. */
export function bulkWorld(options: TestWorldOptions = {}): TestWorld {
  const world = createTestWorld(options);
  writeBulkFlow(world.folder, 12);
  return world;
}

export function writeBulkFlow(folder: string, rows: number): void {
  writeFiles(folder, {
    ...doubleFlow,
    ...gradeFlow,
    'n.jsonl': Array.from({ length: rows }, (_, n) => `${JSON.stringify({ n })}\n`).join(''),
  });
}

/** What the nodes of `double` were called with, in order: `double 3`, `add 6`. */
export function callsOf(folder: string): readonly string[] {
  const path = join(folder, 'double/calls.txt');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

const doubleFlow = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int}
  more: {type: int, default: 1}
outputs:
  o: {type: int, reference: "\${add.output}"}
nodes:
  - {name: double, type: python, source: {type: code, path: double.mjs}, inputs: {n: "\${inputs.n}"}}
  - {name: add, type: python, source: {type: code, path: add.mjs}, inputs: {n: "\${double.output}", more: "\${inputs.more}"}}
  - {name: total, type: python, aggregation: true, source: {type: code, path: total.mjs}, inputs: {all: "\${add.output}"}}
`,
  'double/double.mjs': `import { appendFileSync, existsSync } from 'node:fs';
const here = import.meta.dirname;
export async function double({ n }, { environment }) {
  appendFileSync(here + '/calls.txt', \`double \${n}\\n\`);
  if (n === 3 && !existsSync(here + '/mended')) throw new RangeError('no way to double 3');
  if (n === -1) await new Promise(() => undefined);
  if (environment.WAIT_MS !== undefined) await new Promise((resolve) => setTimeout(resolve, Number(environment.WAIT_MS)));
  return n * 2;
}
`,
  'double/add.mjs': `import { appendFileSync } from 'node:fs';
export function add({ n, more }) {
  appendFileSync(import.meta.dirname + '/calls.txt', \`add \${n}\\n\`);
  return n + more;
}
`,
  'double/total.mjs': `export function total({ all }, { logMetric }) {
  logMetric('sum', all.reduce((sum, one) => sum + one, 0));
  return all.length;
}
`,
};

const gradeFlow = {
  'grade/flow.dag.yaml': `inputs:
  truth: {type: int}
  answer: {type: int}
outputs:
  grade: {type: string, reference: "\${grade.output}"}
nodes:
  - {name: grade, type: python, source: {type: code, path: grade.mjs}, inputs: {truth: "\${inputs.truth}", answer: "\${inputs.answer}"}}
`,
  'grade/grade.mjs': `export function grade({ truth, answer }) {
  return truth === answer ? 'Correct' : 'Incorrect';
}
`,
};
