import type { DatabaseSync } from 'node:sqlite';
import { parseOwnJson, type Value } from '../value/json.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { versionOf } from './run-file-schema.ts';
import type { RunStore } from './run-store.ts';

/** What files of format 1 to 3 hold, which kept every record as one JSON text. */
export interface OldRecords {
  readonly nodes: readonly NodeRun[];
  readonly rows: readonly RowRun[];
  readonly metrics: Readonly<Record<string, Value>>;
}

export function readOldRecords(database: DatabaseSync): OldRecords {
  const isFirst = versionOf(database) === 1;
  const [nodes, rows] = isFirst ? ['node_runs', 'row_runs'] : ['node_records', 'row_records'];
  const place = isFirst ? 'line' : 'line, repeat';
  const metrics = database.prepare('SELECT name, value FROM metrics ORDER BY rowid').all();
  return {
    nodes: readTexts<NodeRun>(database, `SELECT record FROM ${nodes} ORDER BY ${place}, position`),
    rows: readTexts<RowRun>(database, `SELECT record FROM ${rows} ORDER BY ${place}`),
    metrics: Object.fromEntries(metrics.map(({ name, value }) => [String(name), parseOwnJson(String(value))])),
  };
}

function readTexts<Record>(database: DatabaseSync, sql: string): readonly Record[] {
  const rows = database.prepare(sql).all() as unknown as readonly { readonly record: string }[];
  return rows.map(({ record }) => parseOwnJson(record) as unknown as Record);
}

export function appendOldRecords(
  { nodes, rows, metrics }: OldRecords,
  store: Pick<RunStore, 'append' | 'appendMetrics'>,
): void {
  for (const node of nodes) void store.append([node], undefined);
  for (const row of rows) void store.append([], row);
  void store.appendMetrics(metrics);
}
