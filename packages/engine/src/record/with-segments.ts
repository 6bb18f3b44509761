import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstWithSegments, versionOf } from './run-file-schema.ts';
import type { RunStore } from './run-store.ts';
import { openForReading } from './sqlite-driver.ts';
import { createSqliteRunStore } from './sqlite-run-store.ts';

export interface RunFile {
  readonly path: string;
  /** The same file, open. */
  readonly store: RunStore;
}

/** Path of a file with these records in tables that SQL can compare: the file itself, or a copy that lives until `dispose`. */
export function withSegments({ path, store }: RunFile): { readonly path: string; readonly dispose: () => void } {
  if (hasSegments(path)) return { path, dispose: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'flow-run-'));
  const copy = join(folder, 'copy.run');
  const written = createSqliteRunStore(copy, store.info);
  for (const row of store.rows()) void written.append(store.nodes(row.line, row.repeat), row);
  void written[Symbol.asyncDispose]();
  return { path: copy, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

function hasSegments(path: string): boolean {
  const database = openForReading(path);
  const version = versionOf(database);
  database.close();
  return version >= firstWithSegments;
}
