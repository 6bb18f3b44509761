import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { allOf, type JsonValue, openSqliteRunReader, stringifyJson } from '@unroll/engine';

/**
 * The files below a folder in which one of these texts stands, of records also what is compressed in them.
 *
 * @param given names of files that hold them from the start
 */
export async function filesWith(
  texts: readonly string[],
  folder: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const found: string[] = [];
  for (const name of names.filter((one) => !given.includes(one))) {
    const held = await heldIn(join(folder, name));
    if (texts.some((text) => held.includes(text))) found.push(name);
  }
  return found;
}

async function heldIn(path: string): Promise<string> {
  const bytes = readFileSync(path);
  const raw = `${bytes.toString('utf8')}\n${bytes.toString('latin1')}`;
  return path.endsWith('.run') ? `${raw}\n${await recorded(path)}` : raw;
}

/** Everything a record tells. */
async function recorded(path: string): Promise<string> {
  await using store = openSqliteRunReader(path);
  const records = await allOf(store.records());
  const digests = await allOf(store.digests());
  return stringifyJson([store.info, records, await store.metrics(), digests] as unknown as JsonValue);
}
