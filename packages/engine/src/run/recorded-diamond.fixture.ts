import type { NodeType } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import { type EarlierRun, earlierRun } from '../record/earlier-run.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun } from '../record/node-run.ts';
import { runInfo } from '../testing/run-info.ts';
import { noConnections, noFiles } from './made-flow.fixture.ts';
import { prepareFlow } from './prepare-flow.ts';
import type { PrepareOptions } from './prepare-options.ts';
import type { RunnableFlow } from './run-flow.ts';

/** first -> second -> third -> answer, and beside them other -> answer. */
const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${answer.output}"}
nodes:
  - {name: first, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: second, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${first.output}"}}
  - {name: third, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${second.output}"}}
  - {name: other, type: python, cache: false, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: answer, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${third.output}", o: "\${other.output}"}}
`;

export interface RecordedDiamond {
  /** Nodes that ran since it was last emptied. */
  readonly calls: string[];
  /** What was recorded of line 4, in the run `before`. */
  readonly before: EarlierRun;
  /** The same flow for another run. */
  prepare(options: Partial<PrepareOptions>): Promise<RunnableFlow>;
}

/**
 * A flow that ran once. Every node appends its name to what it was given.
 *
 * @param change what another hand wrote into the record
 */
export async function recordedDiamond(
  effects: NodeType['effects'],
  change: (run: NodeRun) => NodeRun = (run) => run,
): Promise<RecordedDiamond> {
  const calls: string[] = [];
  const nodeTypes = new Map([['python', appending(effects, calls)]]);
  const checks = { nodeTypes, files: noFiles, connections: noConnections };
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, checks);
  if (plan === undefined) throw new Error(`bug: ${diagnostics.map(({ message }) => message).join('; ')}`);
  const prepare = async (options: Partial<PrepareOptions>): Promise<RunnableFlow> => {
    const ready = await prepareFlow(plan, { ...checks, fingerprints: true, ...options });
    if (!ready.ok) throw new Error(ready.error.message);
    return ready.flow;
  };
  const nodes = plan.nodes.map(({ name }) => ({ name, kind: 'python' }));
  const store = createMemoryRunLog(runInfo({ id: 'before', nodes }));
  const ran = await (await prepare({})).runRow({ q: 'q' }, { line: 4 });
  await store.append(ran.nodes.map(change), ran.row);
  calls.length = 0;
  return { calls, before: earlierRun(store), prepare };
}

function appending(effects: NodeType['effects'], calls: string[]): NodeType {
  return {
    name: 'python',
    version: 1,
    effects,
    keys: ['cache'],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => ({
      parametersWithDefault: new Set(),
      run: (inputs) => {
        calls.push(name);
        return { ok: true, output: `${String(inputs['q'])} ${name}` };
      },
    }),
  };
}
