import type { NodeRun, RowRun } from '@unroll/engine';
import {
  encodeNode,
  encodeRow,
  KnownValues,
  statusNumber,
  stringifyNodeDigests,
  stringifyRowDigests,
} from '@unroll/engine/record-format';
import { rowKey } from './stored-records.ts';

/** Records on their way into the database; `isWhole`: they refer to no other record. */
export interface EncodedNode {
  readonly run: NodeRun;
  readonly id: number;
  readonly text: string;
  readonly isWhole: boolean;
}
export interface EncodedRow {
  readonly row: RowRun;
  readonly text: string;
  readonly isWhole: boolean;
  /** Hexadecimal digits; null where another process recorded some of its nodes. */
  readonly digests: string | null;
}

/**
 * Rows that this process is recording. A record refers to values of others of its row only where this process wrote them: where it
 * turns out that another one was quicker with a record, the rest of the row is written in full (`goOn`).
 */
export class OpenRows {
  private readonly rows = new Map<number, { known: KnownValues | undefined }>();

  /** @returns undefined for a node that this process recorded already */
  encodeNode(run: NodeRun, id: number): EncodedNode | undefined {
    const known = this.open(run.line, run.repeat ?? 0).known;
    if (known?.digests.has(id) === true) return undefined;
    const { text, outputHash, inputsHash } = encodeNode(run, id, known);
    const { fingerprint } = run;
    const digests = { status: statusNumber(run.status), outputHash, inputsHash, fingerprint };
    known?.digests.set(id, stringifyNodeDigests(id, digests));
    return { run, id, text, isWhole: known === undefined };
  }

  encodeRow(row: RowRun): EncodedRow {
    const { line, repeat = 0 } = row;
    const { known } = this.open(line, repeat);
    if (known !== undefined) this.rows.delete(rowKey(line, repeat));
    const { text, outputHash: outputsHash, inputsHash } = encodeRow(row, known);
    if (known === undefined) return { row, text, digests: null, isWhole: true };
    const head = { status: statusNumber(row.status), inputsHash, outputsHash };
    return { row, text, digests: stringifyRowDigests(head, known.digests), isWhole: false };
  }

  /** From now on nothing of the row is referred to. */
  goOn(line: number, repeat: number): void {
    this.rows.set(rowKey(line, repeat), { known: undefined });
  }

  /** After records were taken back. */
  forgetAll(): void {
    this.rows.clear();
  }

  private open(line: number, repeat: number): { readonly known: KnownValues | undefined } {
    const key = rowKey(line, repeat);
    const open = this.rows.get(key) ?? { known: new KnownValues() };
    this.rows.set(key, open);
    return open;
  }
}
