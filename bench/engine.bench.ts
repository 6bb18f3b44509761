import type { NodeDefinition, NodeOutcome, Plan, PlanNode, PreparedNode } from '../packages/engine/src/index.ts';
import { compilePlan } from '../packages/engine/src/run/compile-plan.ts';
import { preciseNow } from '../packages/engine/src/run/precise-now.ts';
import { runRow } from '../packages/engine/src/run/run-row.ts';
import { compare, printComparison } from './compare.ts';
import { ownCpuSeconds } from './process.ts';

/** G1: engine CPU per async no-op node, every node recorded, against awaiting the same promises by hand. */
const rows = 20_000;

function definition(name: string): NodeDefinition {
  return { name, type: 'python', inputs: {}, aggregation: false, settings: {}, locate: () => undefined };
}

function node(id: number, dependencies: readonly number[], dependents: readonly number[]): PlanNode {
  const inputs = dependencies.map((from, index) => ({
    name: `x${index}`,
    binding: { kind: 'node-output' as const, node: from, nodeName: `n${from}`, path: [], pathText: '' },
  }));
  const name = `n${id}`;
  return { id, name, definition: definition(name), inputs, aggregation: false, dependencies, dependents };
}

function planOf(nodes: readonly PlanNode[]): Plan {
  const last = nodes.at(-1) as PlanNode;
  return {
    file: { path: 'bench', text: '' },
    flowId: 'bench',
    name: 'bench',
    messageFormat: 'basic',
    writtenFormat: 'basic',
    isStandard: true,
    valuesOpenRoles: true,
    inputs: [],
    outputs: [
      {
        name: 'o',
        type: 'object',
        binding: { kind: 'node-output', node: last.id, nodeName: last.name, path: [], pathText: '' },
        evaluationOnly: false,
        isChatOutput: false,
      },
    ],
    nodes,
    loops: [],
    environmentVariables: {},
  };
}

function linear(length: number): Plan {
  return planOf(
    Array.from({ length }, (_, id) => node(id, id === 0 ? [] : [id - 1], id === length - 1 ? [] : [id + 1])),
  );
}

function fanOut(width: number): Plan {
  const middle = Array.from({ length: width }, (_, index) => index + 1);
  return planOf([node(0, [], middle), ...middle.map((id) => node(id, [0], [width + 1])), node(width + 1, middle, [])]);
}

const noOp = async (): Promise<NodeOutcome> => ({ ok: true, output: 1 });

async function engine(plan: Plan, count: number): Promise<number> {
  const prepared: PreparedNode[] = plan.nodes.map(() => ({ parametersWithDefault: new Set(), run: noOp }));
  const compiled = compilePlan(plan, prepared, new Set(plan.nodes.map(({ id }) => id)));
  const before = ownCpuSeconds();
  for (let line = 0; line < count; line += 1) await runRow(compiled, {}, { line }, preciseNow);
  return ((ownCpuSeconds() - before) * 1e6) / (count * plan.nodes.length);
}

async function byHandLinear(length: number, count: number): Promise<number> {
  const before = ownCpuSeconds();
  for (let line = 0; line < count; line += 1) {
    for (let step = 0; step < length; step += 1) await noOp();
  }
  return ((ownCpuSeconds() - before) * 1e6) / (count * length);
}

async function byHandFanOut(width: number, count: number): Promise<number> {
  const before = ownCpuSeconds();
  for (let line = 0; line < count; line += 1) {
    await noOp();
    await Promise.all(Array.from({ length: width }, noOp));
    await noOp();
  }
  return ((ownCpuSeconds() - before) * 1e6) / (count * (width + 2));
}

const chain = linear(10);
const fan = fanOut(100);
printComparison(
  'G1 engine CPU per async no-op node, linear 10 (target <= 10x)',
  'us',
  await compare(
    [
      { name: 'floor: await by hand', measure: () => byHandLinear(10, rows * 5) },
      { name: 'unroll, every node recorded', measure: () => engine(chain, rows) },
    ],
    9,
  ),
);
printComparison(
  'G1 engine CPU per async no-op node, fan-out 100 (target <= 6x)',
  'us',
  await compare(
    [
      { name: 'floor: Promise.all by hand', measure: () => byHandFanOut(100, rows / 2) },
      { name: 'unroll, every node recorded', measure: () => engine(fan, rows / 10) },
    ],
    9,
  ),
);
