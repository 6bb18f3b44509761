import { Image, imagesIn } from '../image/image.ts';
import type { Plan } from '../plan/plan.ts';
import { eachOf } from '../record/batches.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { RunReader } from '../record/run-reader.ts';
import type { JsonValue } from '../value/json.ts';
import { holdsRemoteValue, packValue } from '../value/remote-value.ts';
import type { RowResult } from './run-flow.ts';

/** An output of which there is no more than its text. */
export interface LostOutput {
  readonly node: string;
  readonly line: number;
}

/**
 * Outputs of rows that aggregation nodes read and whose record does not hold them: of what lives elsewhere it has the text,
 * of an image that came from an address that address. They are kept, packed, until the rows have ended.
 */
export class LiveOutputs {
  private readonly readByAggregation: ReadonlySet<string>;
  private readonly rows = new Map<string, ReadonlyMap<string, JsonValue>>();

  constructor({ nodes }: Plan) {
    const inputs = nodes.flatMap((node) => (node.aggregation ? node.inputs : []));
    this.readByAggregation = new Set(
      inputs.flatMap(({ binding }) => (binding.kind === 'node-output' ? [binding.nodeName] : [])),
    );
  }

  /** @returns undefined where there is nothing to wait for */
  keep({ row, nodes }: RowResult): Promise<void> | undefined {
    const live = nodes.filter(({ node, output }) => this.readByAggregation.has(node) && isKeptApart(output));
    return live.length === 0 || row.status !== 'Completed' ? undefined : this.pack(keyOf(row), live);
  }

  /** Records of a row, with the outputs that were kept in the place of their texts. */
  in(row: { readonly line: number; readonly repeat?: number }, nodes: readonly NodeRun[]): readonly NodeRun[] {
    const kept = this.rows.get(keyOf(row));
    if (kept === undefined) return nodes;
    return nodes.map((run) => (kept.has(run.node) ? { ...run, output: kept.get(run.node) as JsonValue } : run));
  }

  /** The first output that nodes over all rows read, and that was an object of a process that has ended. */
  async findLost(reader: RunReader): Promise<LostOutput | undefined> {
    if (this.readByAggregation.size === 0) return undefined;
    for await (const { row, nodes } of eachOf(reader.records())) {
      if (row.status !== 'Completed' || this.rows.has(keyOf(row))) continue;
      for (const { node, inexact } of nodes) {
        if (inexact === 'shown' && this.readByAggregation.has(node)) return { node, line: row.line };
      }
    }
    return undefined;
  }

  private async pack(key: string, live: readonly NodeRun[]): Promise<void> {
    const packed = live.map(async ({ node, output }) => [node, await packValue(output ?? null)] as const);
    this.rows.set(key, new Map(await Promise.all(packed)));
  }
}

function isKeptApart(output: JsonValue | undefined): boolean {
  return holdsRemoteValue(output) || imagesIn(output).some((image) => Image.sourceUrlOf(image) !== undefined);
}

function keyOf({ line, repeat = 0 }: { readonly line: number; readonly repeat?: number }): string {
  return `${line} ${repeat}`;
}
