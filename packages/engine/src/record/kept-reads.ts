import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { type FingerprintInputs, joinFingerprintInputs } from '../node/fingerprint-inputs.ts';
import { entryChecksum } from './checksums.ts';
import type { NodeRun } from './node-run.ts';
import { RunDamageError } from './run-file-error.ts';
import type { RunInfo } from './run-info.ts';

/** Keys of the rows of `meta` that hold what the code of each node read, one a node. */
const keyStart = 'reads ';
/** Of one node. */
export const keptReadsKey = (node: string): string => keyStart + node;
const partsSchema = z.record(z.string(), z.string());

/** What the code of nodes read, as it is told by their records. */
export class KeptReads {
  private readonly byNode: Map<string, FingerprintInputs>;
  /** Records of a node mostly carry the same object. */
  private readonly last = new Map<string, FingerprintInputs>();
  private readonly unwritten = new Set<string>();

  constructor(known: RunInfo['nodeReads'] = {}) {
    this.byNode = new Map(Object.entries(known));
  }

  add({ node, reads }: Pick<NodeRun, 'node' | 'reads'>): void {
    if (reads === undefined || this.last.get(node) === reads) return;
    this.last.set(node, reads);
    this.byNode.set(node, joinFingerprintInputs(this.byNode.get(node) ?? {}, reads));
    this.unwritten.add(node);
  }

  /** Inside the transaction that makes the records durable. @returns whether there was anything to write */
  write(database: DatabaseSync): boolean {
    if (this.unwritten.size === 0) return false;
    const write = database.prepare('INSERT OR REPLACE INTO meta (key, value, checksum) VALUES (?, ?, ?)');
    for (const node of this.unwritten) {
      const [key, value] = [keptReadsKey(node), JSON.stringify(this.byNode.get(node))];
      write.run(key, value, entryChecksum('meta', key, value));
    }
    this.unwritten.clear();
    return true;
  }

  all(): Readonly<Record<string, FingerprintInputs>> {
    return Object.fromEntries(this.byNode);
  }
}

/**
 * By node; of a run that no release wrote which keeps them: none.
 *
 * @throws RunDamageError
 */
export function readKeptReads(database: DatabaseSync, path: string): Readonly<Record<string, FingerprintInputs>> {
  const rows = database
    .prepare('SELECT key, value, checksum FROM meta WHERE substr(key, 1, ?) = ?')
    .all(keyStart.length, keyStart);
  return Object.fromEntries(
    rows.map(({ key, value, checksum }) => {
      if (checksum !== entryChecksum('meta', String(key), String(value))) throw readsDamage(path);
      return [String(key).slice(keyStart.length), partsSchema.parse(JSON.parse(String(value))) as FingerprintInputs];
    }),
  );
}

function readsDamage(path: string): RunDamageError {
  return new RunDamageError({ message: `the run record ${path} is damaged: what code read cannot be read` });
}
