import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import { isGivenOn } from './given-on.ts';
import type { NodeRun } from './node-run.ts';
import { type OnDamage, RunDamageError } from './run-file-error.ts';
import type { RecordDigest, RunReader } from './run-reader.ts';

/** Where a node stands that asks for an output. */
interface CachePlace {
  readonly node: string;
  readonly line: number;
  readonly repeat: number;
}

/** A finished run as a source of outputs. */
export interface EarlierRun {
  readonly runId: string;
  /**
   * The record with this fingerprint that completed: of the same node in the same row, else in any row. Another node's is
   * taken only where the earlier run had no node of that name: two nodes that ask a model the same want two answers. None whose output
   * others changed once it was recorded (`isGivenOn`).
   */
  find(fingerprint: string, place: CachePlace): Promise<NodeRun | undefined>;
  /** What the code of its nodes read, by node, where their records tell. */
  readonly nodeReads: Readonly<Record<string, FingerprintInputs>>;
  hasNode(node: string): boolean;
  /** The completed record of a node in a row, whatever it was made of; none that does not give its output again. */
  at(place: CachePlace): Promise<NodeRun | undefined>;
}

/** Rows kept at hand: nodes of a row ask one after the other. */
const rowsKept = 64;

/** @param onDamage told of rows that cannot be read, which count as none */
export function earlierRun(reader: RunReader, onDamage?: OnDamage): EarlierRun {
  const rows = new Map<string, Promise<readonly NodeRun[]>>();
  const recordsOf = (line: number, repeat: number): Promise<readonly NodeRun[]> => {
    const key = `${line}:${repeat}`;
    const known = rows.get(key);
    if (known !== undefined) return known;
    if (rows.size >= rowsKept) rows.delete(rows.keys().next().value ?? '');
    const records = orNone(reader.nodes(line, repeat), onDamage);
    rows.set(key, records);
    return records;
  };
  const names = new Set(reader.info.nodes.map(({ name }) => name));
  let index: Promise<FingerprintIndex> | undefined;
  return {
    runId: reader.info.id,
    nodeReads: reader.info.nodeReads ?? {},
    hasNode: (node) => names.has(node),
    at: async ({ node, line, repeat }) =>
      (await recordsOf(line, repeat)).find(
        (run) => run.node === node && run.status === 'Completed' && run.inexact === undefined,
      ),
    async find(fingerprint, { node, line, repeat }) {
      const ofRow = await recordsOf(line, repeat);
      const same = ofRow.find((run) => run.node === node && isAnswer(run, fingerprint));
      if (same !== undefined) return isGivenOn(same, ofRow) ? undefined : same;
      index ??= readIndex(reader);
      const place = (await index).find(fingerprint, names.has(node) ? node : undefined);
      if (place === undefined) return undefined;
      const records = await recordsOf(place.line, place.repeat);
      const found = records.find((run) => run.node === place.node && isAnswer(run, fingerprint));
      return found === undefined || isGivenOn(found, records) ? undefined : found;
    },
  };
}

async function orNone<T>(read: Promise<readonly T[]>, onDamage: OnDamage | undefined): Promise<readonly T[]> {
  try {
    return await read;
  } catch (error) {
    if (onDamage === undefined || !(error instanceof RunDamageError)) throw error;
    onDamage(error);
    return [];
  }
}

function isAnswer(run: NodeRun, fingerprint: string): boolean {
  return run.status === 'Completed' && run.fingerprint === fingerprint;
}

async function readIndex(reader: RunReader): Promise<FingerprintIndex> {
  const index = new FingerprintIndex();
  for await (const digests of reader.digests()) for (const digest of digests) index.add(digest);
  return index;
}

/** Places of completed records by fingerprint; numbers and one text a record, so that a run of many rows fits in memory. */
class FingerprintIndex {
  private readonly first = new Map<string, number>();
  private readonly next: number[] = [];
  private readonly lines: number[] = [];
  private readonly repeats: number[] = [];
  private readonly nodes: string[] = [];

  add({ fingerprint, status, node, line, repeat }: RecordDigest): void {
    if (fingerprint === undefined || status !== 'Completed') return;
    const at = this.lines.push(line) - 1;
    this.repeats.push(repeat);
    this.nodes.push(node);
    this.next.push(this.first.get(fingerprint) ?? -1);
    this.first.set(fingerprint, at);
  }

  /** A place of this node; of any node where none is named. */
  find(fingerprint: string, node: string | undefined): CachePlace | undefined {
    for (let at = this.first.get(fingerprint) ?? -1; at !== -1; at = this.next[at] ?? -1) {
      const found = this.nodes[at] ?? '';
      if (node !== undefined && node !== found) continue;
      return { node: found, line: this.lines[at] ?? 0, repeat: this.repeats[at] ?? 0 };
    }
    return undefined;
  }
}
