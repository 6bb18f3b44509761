import { zstdCompressSync } from 'node:zlib';
import type { Queryable } from '../database/database.ts';
import { unzipped } from '../database/unzipped.ts';
import { type BundleFile, type BundleManifest, damagedBundle, type FlowBundle, readManifest } from './flow-bundle.ts';

type InSchema = Queryable & { readonly schema: string };

/**
 * Files that are there already are not sent again. Until the transaction ends, nobody removes what it stores or finds.
 *
 * @param within a transaction, which stores the run that needs the bundle too
 */
export async function storeBundle({ id, manifest, contents }: FlowBundle, within: InSchema): Promise<void> {
  const { schema } = within;
  // In one order for all: two that store the same files at once wait for each other one way.
  const digests = [...contents.keys()].sort();
  const sql = `SELECT digest FROM ${schema}.bundle_file WHERE digest = ANY($1) ORDER BY digest FOR KEY SHARE`;
  const there = new Set((await within.query<{ digest: string }>(sql, [digests])).map(({ digest }) => digest));
  for (const digest of digests) {
    const bytes = contents.get(digest);
    if (bytes === undefined || there.has(digest)) continue;
    const insert = `INSERT INTO ${schema}.bundle_file (digest, content) VALUES ($1, $2)
      ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest`;
    await within.query(insert, [digest, zstdCompressSync(bytes)]);
  }
  const isThere = await within.query(`SELECT 1 FROM ${schema}.bundle WHERE id = $1 FOR KEY SHARE`, [id]);
  if (isThere.length > 0) return;
  const insert = `INSERT INTO ${schema}.bundle (id, manifest) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET id = excluded.id`;
  await within.query(insert, [id, JSON.stringify(manifest)]);
}

/** @throws ProjectFailure where it is not the one that was sent */
export async function bundleManifest(id: string, from: InSchema): Promise<BundleManifest> {
  const sql = `SELECT manifest FROM ${from.schema}.bundle WHERE id = $1`;
  const [found] = await from.query<{ readonly manifest: unknown }>(sql, [id]);
  const manifest = readManifest(id, found?.manifest);
  if (manifest === undefined) throw damagedBundle('what it holds cannot be read');
  return manifest;
}

/** @throws ProjectFailure where its bytes are not those that were sent */
export async function bundleFile({ path, digest, size }: BundleFile, from: InSchema): Promise<Uint8Array> {
  const sql = `SELECT content FROM ${from.schema}.bundle_file WHERE digest = $1`;
  const [found] = await from.query<{ readonly content: Buffer }>(sql, [digest]);
  const bytes = found === undefined ? undefined : unzipped(found.content, size);
  if (bytes === undefined) throw damagedBundle(`${path} is not what was sent`);
  return bytes;
}
