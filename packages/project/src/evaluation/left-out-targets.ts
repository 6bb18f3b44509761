import { type JsonValue, type NodeRun, type RunReader, valueHash } from '@unroll/engine';
import type { Expectations, OracleTarget } from './expectations.ts';

/** Outputs that are expected, by row and node. */
export type RowExpectations = Awaited<ReturnType<Expectations['of']>>;

/** A family of which no more than one turn is given is told by that turn. */
export function isOneOf({ nodes }: OracleTarget, given: RowExpectations): boolean {
  return nodes.size > 1 && new Set([...given.values()].flatMap((outputs) => [...outputs.keys()])).size < 2;
}

/** Nothing is expected, or all of it is what the run gave anyway. */
export async function whyLeftOut(
  given: RowExpectations,
  store: RunReader,
  repeats: number,
): Promise<string | undefined> {
  if (given.size === 0) return 'nothing is expected of';
  for (const [line, outputs] of given) {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const records = await store.nodes(line, repeat);
      if (!gaveAll(outputs, records)) return undefined;
    }
  }
  return 'gave what was expected';
}

function gaveAll(outputs: ReadonlyMap<string, JsonValue>, records: readonly NodeRun[]): boolean {
  return [...outputs].every(([node, output]) => {
    const record = records.find((run) => run.node === node);
    return record?.output !== undefined && valueHash(record.output) === valueHash(output);
  });
}
