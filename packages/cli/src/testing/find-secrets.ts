import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type JsonValue, openSqliteRunStore, stringifyJson } from '@unroll/engine';

/**
 * The files below a folder in which one of these texts stands, of records also what is compressed in them.
 *
 * @param given names of files that hold them from the start
 */
export function filesWith(texts: readonly string[], folder: string, given: readonly string[]): readonly string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return names.filter((name) => {
    if (given.includes(name)) return false;
    const held = heldIn(join(folder, name));
    return texts.some((text) => held.includes(text));
  });
}

function heldIn(path: string): string {
  const bytes = readFileSync(path);
  const raw = `${bytes.toString('utf8')}\n${bytes.toString('latin1')}`;
  return path.endsWith('.run') ? `${raw}\n${recorded(path)}` : raw;
}

/** Everything a record tells. */
function recorded(path: string): string {
  const store = openSqliteRunStore(path);
  const rows = [...store.rows()];
  const nodes = rows.flatMap(({ line, repeat }) => store.nodes(line, repeat));
  return stringifyJson([store.info, rows, nodes, store.metrics(), [...store.digests()]] as unknown as JsonValue);
}
