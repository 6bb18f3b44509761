import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { nodeNameChecksum } from './checksums.ts';

type Optional = number | null;

/** A row of `node_ends` as a list: a name for each of a million values would take longer than all the rest. */
export type StoredNodeEnd = readonly [
  ...[line: number, repeat: number, node: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[promptTokens: Optional, completionTokens: Optional, place: number, size: number],
];

/** A row of `row_ends`. */
export type StoredRowEnd = readonly [
  ...[line: number, repeat: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[unfinished: number, place: number, size: number],
];

/** @returns its id */
export function addNodeName(database: DatabaseSync, name: string, kind: string): number {
  const { id } = database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM nodes').get() as { id: number };
  const add = database.prepare('INSERT INTO nodes (id, name, kind, checksum) VALUES (?, ?, ?, ?)');
  add.run(id, name, kind, nodeNameChecksum(id, name, kind));
  return id;
}

export function nodeKey(name: string, kind: string): string {
  return `${name}\n${kind}`;
}

export function prepareStatements(database: DatabaseSync): Record<Statement, StatementSync> {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Record<Statement, StatementSync>;
}

type Statement = keyof typeof statements;

const statements = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  addNode: `INSERT OR IGNORE INTO node_ends (line, repeat, node, status, started_at, duration_ms, prompt_tokens,
    completion_tokens, place, size, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addRow: `INSERT OR IGNORE INTO row_ends (line, repeat, status, started_at, duration_ms, unfinished, place, size, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addDigests: 'INSERT INTO row_digests (row, digests, checksum) VALUES (?, unhex(?), ?)',
  findDigests: 'SELECT checksum FROM row_digests WHERE row = ?',
  renewDigests: 'INSERT OR REPLACE INTO row_digests (row, digests, checksum) VALUES (?, unhex(?), ?)',
  addMetric: 'INSERT OR REPLACE INTO metrics (name, value, checksum) VALUES (?, ?, ?)',
  removeRow: 'DELETE FROM row_ends WHERE line = ? AND repeat = ?',
  removeDigests: 'DELETE FROM row_digests WHERE row = ?',
  removeEnded: 'DELETE FROM node_ends WHERE line = ? AND repeat = ? AND status <> 0',
  removeNodes: 'DELETE FROM node_ends WHERE line = ? AND repeat = ?',
  removeInexact:
    'DELETE FROM node_ends WHERE line = ? AND repeat = ? AND node IN (SELECT id FROM nodes WHERE name = ?)',
  removeNode: 'DELETE FROM node_ends WHERE node IN (SELECT id FROM nodes WHERE name = ?)',
  removeMetrics: 'DELETE FROM metrics',
  isRecorded: `SELECT 1 FROM node_ends WHERE line = ? AND repeat = ?
    UNION ALL SELECT 1 FROM row_ends WHERE line = ? AND repeat = ? LIMIT 1`,
} as const;
