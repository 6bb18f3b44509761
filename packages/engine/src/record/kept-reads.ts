import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { joinParts, type NodeParts } from '../node/node-parts.ts';
import type { NodeRun } from './node-run.ts';
import type { RunInfo } from './run-store.ts';

/** Keys of the rows of `meta` that hold what the code of each node read, one a node. */
const keyStart = 'reads ';
const partsSchema = z.record(z.string(), z.string());

/** What the code of nodes read, as it is told by their records. */
export class KeptReads {
  private readonly byNode: Map<string, NodeParts>;
  /** Records of a node mostly carry the same object. */
  private readonly last = new Map<string, NodeParts>();
  private readonly unwritten = new Set<string>();

  constructor(known: RunInfo['nodeReads'] = {}) {
    this.byNode = new Map(Object.entries(known));
  }

  add({ node, reads }: Pick<NodeRun, 'node' | 'reads'>): void {
    if (reads === undefined || this.last.get(node) === reads) return;
    this.last.set(node, reads);
    this.byNode.set(node, joinParts(this.byNode.get(node) ?? {}, reads));
    this.unwritten.add(node);
  }

  /** Inside the transaction that makes the records durable. */
  write(database: DatabaseSync): void {
    if (this.unwritten.size === 0) return;
    const write = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    for (const node of this.unwritten) write.run(keyStart + node, JSON.stringify(this.byNode.get(node)));
    this.unwritten.clear();
  }

  all(): Readonly<Record<string, NodeParts>> {
    return Object.fromEntries(this.byNode);
  }
}

/** By node; of a run that no release wrote which keeps them: none. */
export function readKeptReads(database: DatabaseSync): Readonly<Record<string, NodeParts>> {
  const rows = database
    .prepare('SELECT key, value FROM meta WHERE substr(key, 1, ?) = ?')
    .all(keyStart.length, keyStart);
  return Object.fromEntries(
    rows.map(({ key, value }) => [
      String(key).slice(keyStart.length),
      partsSchema.parse(JSON.parse(String(value))) as NodeParts,
    ]),
  );
}
