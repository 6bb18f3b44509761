import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '@unroll/engine';
import type { ProjectHost } from '@unroll/project';
import { createTestWorld, testNow } from '../../packages/cli/src/testing/test-io.ts';

const project = join(import.meta.dirname, '../..');
const evaluation = 'evals/privacy-agent';

export interface StudioWorld extends Disposable {
  readonly folder: string;
  readonly host: ProjectHost;
  /** Evaluates the privacy agent on its 96 questions and gives back the id of the run. */
  evaluate(edit?: FlowEdit): Promise<string>;
  /** What a command says. */
  flow(...argv: readonly string[]): Promise<string>;
}

/** A change of a file of the flow. */
export interface FlowEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The guideline is asked first: rows get worse by the prompt of the agent. */
export const guidelineFirst: FlowEdit = {
  file: 'agent.jinja2',
  from: 'まず faq_search',
  to: 'まず guideline_search',
};

/** The privacy agent with its evaluation and baseline in a folder of its own, and real runs of it. */
export function createStudioWorld(): StudioWorld {
  const world = createTestWorld();
  symlinkSync(join(project, 'node_modules'), join(world.folder, 'node_modules'));
  for (const folder of ['flows/privacy-agent', evaluation]) {
    cpSync(join(project, folder), join(world.folder, folder), { recursive: true });
  }
  const runsFolder = join(world.folder, '.runs');
  return {
    folder: world.folder,
    host: hostOn(world.folder, runsFolder),
    evaluate: async (edit) => {
      if (edit !== undefined) changeFile(join(world.folder, 'flows/privacy-agent', edit.file), edit);
      const known = new Set(runIds(runsFolder));
      const { stderr } = await world.flow('eval', evaluation, '--quiet', '--runs-dir', runsFolder);
      const id = runIds(runsFolder).find((one) => !known.has(one));
      if (id === undefined) throw new Error(`no run was made: ${stderr}`);
      return id;
    },
    flow: async (...argv) => (await world.flow(...argv, '--runs-dir', runsFolder)).stdout,
    [Symbol.dispose]: () => world[Symbol.dispose](),
  };
}

function changeFile(path: string, { from, to }: FlowEdit): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`bug: ${path} has no ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}

function runIds(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.run'))
      .map((name) => name.slice(0, -'.run'.length));
  } catch {
    return [];
  }
}

function hostOn(folder: string, runsFolder: string): ProjectHost {
  return {
    ...{ folder, runsFolder },
    environment: {},
    redactor: new Redactor(),
    now: () => testNow,
    steadyNow: () => testNow,
    randomText: () => 'test',
    stdin: async function* () {},
    report: () => undefined,
  };
}
