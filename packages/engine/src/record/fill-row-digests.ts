import type { DatabaseSync } from 'node:sqlite';
import { type PrintedDigests, printNodeDigests, printRowDigests } from './row-digests.ts';

/**
 * Gathers the digests of every row that ended from columns in which format 4 kept them one by one.
 *
 * @param from the schema of the file
 * @param into an empty table like `row_digests`
 */
export function fillRowDigests(
  database: DatabaseSync,
  { from, into }: { readonly from: 'main' | 'other'; readonly into: string },
): void {
  const add = database.prepare(`INSERT INTO ${into} (row, digests) VALUES (?, unhex(?))`);
  const nodes = nodesOfRows(database, from);
  let next = nodes.next();
  for (const [row, status, inputsHash, outputsHash] of rowHeads(database, from)) {
    while (next.done !== true && next.value[0] < row) next = nodes.next();
    const ofRow = next.done !== true && next.value[0] === row ? readNodes(next.value[1]) : none;
    add.run(row, printRowDigests({ status, inputsHash, outputsHash }, ofRow));
  }
  nodes.return?.();
}

const none: ReadonlyMap<number, PrintedDigests> = new Map();
const numberOfRow = 'line * 1048576 + repeat';

type HeadColumns = readonly [row: number, status: number, inputsHash: string, outputsHash: string];

function rowHeads(database: DatabaseSync, from: string): Iterable<HeadColumns> {
  const heads = database.prepare(`SELECT ${numberOfRow}, status, lower(hex(inputs_hash)), lower(hex(outputs_hash))
    FROM ${from}.row_ends ORDER BY line, repeat`);
  heads.setReturnArrays(true);
  return heads.iterate() as Iterable<unknown> as Iterable<HeadColumns>;
}

/** Rows with their records as one text: to get records one by one takes most of the time. */
function nodesOfRows(database: DatabaseSync, from: string): Iterator<readonly [row: number, nodes: string]> {
  const rows = database.prepare(`SELECT ${numberOfRow}, lower(group_concat(
      node || '.' || status || '.' || hex(output_hash) || '.' || hex(inputs_hash) || '.' || coalesce(hex(fingerprint), '')))
    FROM ${from}.node_ends GROUP BY line, repeat ORDER BY line, repeat`);
  rows.setReturnArrays(true);
  return rows.iterate() as Iterator<unknown> as Iterator<readonly [number, string]>;
}

function readNodes(text: string): ReadonlyMap<number, PrintedDigests> {
  const nodes = new Map<number, PrintedDigests>();
  for (const node of text.split(',')) {
    const [id = '', status = '', outputHash = '', inputsHash = '', fingerprint = ''] = node.split('.');
    const digests = { status: Number(status), outputHash, inputsHash, fingerprint };
    nodes.set(Number(id), printNodeDigests(Number(id), digests));
  }
  return nodes;
}
