import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestWorld } from './test-io.ts';

/** A node whose code gives a text that it gets in some way from outside. */
export interface ObservedCase {
  /** Name of the node. */
  readonly name: string;
  readonly code: string;
  /** Files beside the flow's folder or in it, `flow/…`; what gives `a` at first. */
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** The node that ends before it begins. */
  readonly after?: string;
  /** What is other later, so that the node gives `b`; undefined: not there. Absent of a node that only prepares another. */
  readonly later?: {
    readonly files?: Readonly<Record<string, string>>;
    readonly variables?: Readonly<Record<string, string>>;
  };
  /** Nodes beside it that run too. */
  readonly alsoRuns?: readonly string[];
  /** It runs whatever happens, since nobody can compare what it reads. */
  readonly isUnseen?: true;
}

/** A flow of one node a case, each with the file `<name>.<ending>`. */
export function writeObservedFlow(world: TestWorld, cases: readonly ObservedCase[], ending: 'ts' | 'py'): void {
  const nodes = cases.map(
    ({ name, after }) =>
      `- {name: ${name}, type: python, source: {type: code, path: ${name}.${ending}}, inputs: {q: "\${${after === undefined ? 'inputs.q' : `${after}.output`}}"}}\n`,
  );
  const outputs = cases.map(({ name }) => `  ${name}: {type: string, reference: "\${${name}.output}"}\n`);
  write(world, {
    'flow/flow.dag.yaml': `inputs:\n  q: {type: string}\noutputs:\n${outputs.join('')}nodes:\n${nodes.join('')}`,
    'rows.jsonl': '{"q": "one"}\n{"q": "two"}\n',
  });
  for (const { name, code, files = {}, variables = {} } of cases) {
    write(world, { ...files, [`flow/${name}.${ending}`]: code });
    Object.assign(process.env, variables);
  }
}

/** `FOLDER` in a text stands for the world's folder. */
export function write({ folder }: TestWorld, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replaceAll('FOLDER', folder));
  }
}

export interface ObservedRun {
  /** Of the last row, by node. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Names of nodes that ran in some row. */
  readonly ran: readonly string[];
  readonly stderr: string;
}

/** Runs the flow over both rows. */
export async function runObserved(world: TestWorld, name: string, ...more: readonly string[]): Promise<ObservedRun> {
  const argv = ['run', 'flow', '--data', 'rows.jsonl', '--name', name, '--concurrency', '1', '--json', ...more];
  const { code, stdout, stderr } = await world.flow(...argv);
  if (code !== 0) throw new Error(stderr + stdout);
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    readonly nodes: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
  };
  const ran = Object.entries(last.nodes).flatMap(([node, { completed, cached }]) => (cached < completed ? [node] : []));
  const { stdout: shown } = await world.flow('show', name, '--row', '1', '--json');
  return { outputs: (JSON.parse(shown) as { outputs: Record<string, unknown> }).outputs, ran: ran.sort(), stderr };
}
