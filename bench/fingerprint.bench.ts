import type {
  JsonValue,
  NodeDefinition,
  NodeOutcome,
  Plan,
  PlanNode,
  PreparedNode,
} from '../packages/engine/src/index.ts';
import { createMemoryRunLog, earlierRun } from '../packages/engine/src/index.ts';
import { compilePlan } from '../packages/engine/src/run/compile-plan.ts';
import { preciseNow } from '../packages/engine/src/run/precise-now.ts';
import { runRow } from '../packages/engine/src/run/run-row.ts';
import { withCache } from '../packages/engine/src/run/with-cache.ts';
import { compare, printComparison } from './compare.ts';
import { ownCpuSeconds } from './process.ts';

/** What a fingerprint costs a node: a chain of ten, each given the output of the one before and two literals. */
const length = 10;

function definition(name: string): NodeDefinition {
  return { name, type: 'python', inputs: {}, aggregation: false, settings: {}, locate: () => undefined };
}

function node(id: number): PlanNode {
  const before = { kind: 'node-output' as const, node: id - 1, nodeName: `n${id - 1}`, path: [], pathText: '' };
  const inputs = [
    ...(id === 0 ? [] : [{ name: 'state', binding: before }]),
    { name: 'temperature', binding: { kind: 'literal' as const, value: 0 } },
    { name: 'model', binding: { kind: 'literal' as const, value: 'gpt-4o' } },
  ];
  const name = `n${id}`;
  const dependents = id === length - 1 ? [] : [id + 1];
  const shared = { aggregation: false, dependencies: id === 0 ? [] : [id - 1], dependents };
  return { id, name, definition: definition(name), inputs, ...shared };
}

const plan: Plan = {
  file: { path: 'bench', text: '' },
  flowId: 'bench',
  name: 'bench',
  messageFormat: 'basic',
  writtenFormat: 'basic',
  isStandard: true,
  valuesOpenRoles: true,
  inputs: [],
  outputs: [],
  nodes: Array.from({ length }, (_, id) => node(id)),
  loops: [],
  environmentVariables: {},
};

/** A new value each time, as nodes give them. */
type Give = (line: number) => JsonValue;

const small: Give = (line) => ({ finished: false, query: `question ${line}`, results: [] });
const passage = 'ある事業者が個人データを第三者に提供するときは、あらかじめ本人の同意を得なければなりません。'.repeat(
  8,
);
const large: Give = (line) => ({
  finished: false,
  query: `question ${line}`,
  results: Array.from({ length: 3 }, (_, index) => ({ id: `faq-${index}`, text: passage, score: 1.5 })),
});

type Wrap = (prepared: PreparedNode) => PreparedNode;

/** CPU microseconds a node. */
async function run(give: Give, count: number, wrap: Wrap): Promise<number> {
  let line = 0;
  const prepared: PreparedNode = {
    parametersWithDefault: new Set(),
    run: async (): Promise<NodeOutcome> => ({ ok: true, output: give(line) }),
  };
  const all = plan.nodes.map(() => wrap(prepared));
  const compiled = compilePlan(plan, all, new Set(plan.nodes.map(({ id }) => id)));
  const before = ownCpuSeconds();
  for (; line < count; line += 1) await runRow(compiled, {}, { line }, preciseNow);
  return ((ownCpuSeconds() - before) * 1e6) / (count * length);
}

const withFingerprint: Wrap = (prepared) => withCache(prepared, { identity: 'i', isCacheable: true });

/** An earlier run of as many rows, every node of which can be taken. */
async function earlier(give: Give, count: number): Promise<Wrap> {
  const nodes = plan.nodes.map(({ name }) => ({ name, kind: 'python' }));
  const info = { id: 'before', flowPath: '', flowName: '', flowDigest: '', startedAt: 0, nodes };
  const store = createMemoryRunLog(info);
  let line = 0;
  const prepared: PreparedNode = {
    parametersWithDefault: new Set(),
    run: async (): Promise<NodeOutcome> => ({ ok: true, output: give(line) }),
  };
  const all = plan.nodes.map(() => withFingerprint(prepared));
  const compiled = compilePlan(plan, all, new Set(plan.nodes.map(({ id }) => id)));
  for (; line < count; line += 1) store.append((await runRow(compiled, {}, { line }, preciseNow)).nodes);
  return (one) => withCache(one, { identity: 'i', isCacheable: true, since: earlierRun(store) });
}

for (const [what, give, count] of [
  ['small state, 60 bytes of JSON', small, 4000],
  ['agent state, 3.5 kB of JSON', large, 1000],
] as const) {
  const since = await earlier(give, count);
  printComparison(
    `fingerprint of a node and row, ${what} (target < 20 us a small node)`,
    'us',
    await compare(
      [
        { name: 'without', measure: () => run(give, count, (prepared) => prepared) },
        { name: 'with fingerprints', measure: () => run(give, count, withFingerprint) },
        { name: 'every node taken from an earlier run', measure: () => run(give, count, since) },
      ],
      9,
    ),
  );
}
