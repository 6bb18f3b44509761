import {
  type DataRow,
  didYouMean,
  type EarlierRun,
  isMapping,
  type JsonObject,
  type JsonValue,
  type RunNode,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/** Outputs that nodes should have given, by node and line. */
export interface Expectations {
  /** Where they come from, for people. */
  readonly from: string;
  /** What is to be given in the place of these nodes' outputs; by line, then by node. */
  readonly of: (nodes: ReadonlySet<string>) => Promise<ReadonlyMap<number, ReadonlyMap<string, JsonValue>>>;
}

/** A node, or a family of a loop, and the nodes that it names. */
export interface OracleTarget {
  /** As it is told: `retrieve`, `function_1`, `function[*]`, `find + rank`. */
  readonly name: string;
  readonly nodes: ReadonlySet<string>;
}

/**
 * Targets that can be given: nodes and, where it has several turns, families.
 *
 * @throws ProjectFailure with the nearest name for what is none
 */
export function oracleTarget(written: string, nodes: readonly RunNode[]): OracleTarget {
  const parts = written.split(',').map((part) => part.trim());
  const found = parts.map((part) => nodesNamed(part, nodes));
  return { name: parts.join(' + '), nodes: new Set(found.flat()) };
}

function nodesNamed(written: string, nodes: readonly RunNode[]): readonly string[] {
  const family = written.replace(/\[\*\]$/, '');
  const node = nodes.find(({ name, aggregation }) => name === written && aggregation !== true);
  if (node !== undefined) return [node.name];
  const members = nodes.filter((one) => one.family === family && (one.iteration ?? 0) > 0);
  if (members.length > 0) return members.map(({ name }) => name);
  const known = [...nodes.map(({ name }) => name), ...familiesOf(nodes).map((name) => `${name}[*]`)];
  throw new ProjectFailure(`the flow has no node "${written}" to give an output for`, {
    help: didYouMean(written, known) ?? `It has ${known.join(', ')}.`,
  });
}

/** Every node of the flow in its order, and each family of more than one turn. */
export function allTargets(nodes: readonly RunNode[]): readonly OracleTarget[] {
  const single = nodes.filter(({ aggregation }) => aggregation !== true).map(({ name }) => name);
  const families = familiesOf(nodes).map((family) => `${family}[*]`);
  return [...single, ...families].map((name) => oracleTarget(name, nodes));
}

function familiesOf(nodes: readonly RunNode[]): readonly string[] {
  return [
    ...new Set(nodes.flatMap(({ family, iteration = 0 }) => (family !== undefined && iteration > 0 ? [family] : []))),
  ];
}

/**
 * `expected.<node>` of the rows. Of a loop's node the turns may stand in one list under the name of the family,
 * `expected.function` or `expected["function[*]"]`, the first turn first, null for a turn of which nothing is expected.
 */
export async function expectationsInData(
  rows: AsyncIterable<DataRow>,
  nodes: readonly RunNode[],
): Promise<Expectations> {
  const byLine = new Map<number, JsonObject>();
  for await (const row of rows) {
    const expected = 'values' in row ? row.values['expected'] : undefined;
    if (isMapping(expected)) byLine.set(row.line, expected);
  }
  return {
    from: 'expected.<node> of the data',
    of: async (wanted) => {
      const chosen = nodes.filter(({ name }) => wanted.has(name));
      return await outputsBy(byLine.keys(), chosen, (line, node) => expectedOf(byLine.get(line) ?? {}, node));
    },
  };
}

function expectedOf(expected: JsonObject, { name, family, iteration = 0 }: RunNode): JsonValue | undefined {
  if (Object.hasOwn(expected, name)) return expected[name];
  if (family === undefined || iteration < 1) return undefined;
  const turns = expected[`${family}[*]`] ?? expected[family];
  const turn = Array.isArray(turns) ? ((turns as readonly JsonValue[])[iteration - 1] ?? null) : null;
  return turn === null ? undefined : turn;
}

/** What the nodes gave in a run that is taken to be right. */
export function expectationsInRun(run: EarlierRun, lines: readonly number[], nodes: readonly RunNode[]): Expectations {
  return {
    from: `run ${run.runId}`,
    of: async (wanted) =>
      await outputsBy(
        lines,
        nodes.filter(({ name }) => wanted.has(name)),
        async (line, { name }) => (await run.at({ node: name, line, repeat: 0 }))?.output,
      ),
  };
}

async function outputsBy(
  lines: Iterable<number>,
  nodes: readonly RunNode[],
  find: (line: number, node: RunNode) => JsonValue | undefined | Promise<JsonValue | undefined>,
): Promise<ReadonlyMap<number, ReadonlyMap<string, JsonValue>>> {
  const found = new Map<number, ReadonlyMap<string, JsonValue>>();
  for (const line of lines) {
    const outputs = new Map<string, JsonValue>();
    for (const node of nodes) {
      const output = await find(line, node);
      if (output !== undefined) outputs.set(node.name, output);
    }
    if (outputs.size > 0) found.set(line, outputs);
  }
  return found;
}
