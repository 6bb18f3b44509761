import type { NodeRun, RunInfo } from '@unroll/engine';
import { joinFingerprintInputs } from '@unroll/engine/record-format';
import type { Queryable } from '../database/database.ts';
import { readNodeNames } from './stored-run.ts';

type Named = Pick<NodeRun, 'node' | 'kind'>;
type NodeReads = NonNullable<RunInfo['nodeReads']>;

/** What this process knows that the database holds of a run's nodes: their ids, and what their code reads. Logs of one run may share it. */
export class KnownNodes {
  private ids: ReadonlyMap<string, number> = new Map();
  private readonly reads = new Map<string, NodeRun['reads']>();

  hasIds(nodes: readonly Named[]): boolean {
    return nodes.every((node) => this.ids.has(keyOf(node)));
  }

  idOf(node: Named): number {
    const id = this.ids.get(keyOf(node));
    if (id === undefined) throw new Error(`bug: no id for node ${node.node}`);
    return id;
  }

  async readIds(through: Queryable & { readonly schema: string }, run: number): Promise<void> {
    const names = await readNodeNames(through, through.schema, run);
    this.ids = new Map([...names].map(([id, { name, kind }]) => [keyOf({ node: name, kind }), id]));
  }

  /** What code read that is not recorded yet, by node. Records of a node mostly carry the same object. */
  unrecordedReads(nodes: readonly NodeRun[]): NodeReads {
    const all: Record<string, NonNullable<NodeRun['reads']>> = {};
    for (const { node, reads } of nodes) {
      if (reads === undefined || this.reads.get(node) === reads) continue;
      all[node] = joinFingerprintInputs(all[node] ?? {}, reads);
    }
    return all;
  }

  /** Once what their code read is committed. */
  readsRecorded(nodes: readonly NodeRun[]): void {
    for (const { node, reads } of nodes) if (reads !== undefined) this.reads.set(node, reads);
  }
}

function keyOf({ node, kind }: Named): string {
  return `${node}\n${kind}`;
}
