import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { openConnectionStore, rotateKey } from './connection-store.ts';
import type { KeyPlaces } from './key-ring.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

const root = mkdtempSync(join(tmpdir(), 'unroll-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const mine: Connection = {
  name: 'mine/東京 1',
  type: 'open_ai',
  configs: { base_url: 'http://localhost' },
  secrets: { api_key: 'sekret-1' },
};
const now = Date.UTC(2026, 10, 21);

let count = 0;
function places(): { readonly folder: string; readonly keys: KeyPlaces & { readonly file: string } } {
  count += 1;
  return { folder: join(root, `store-${count}`), keys: { file: join(root, `keys-${count}`) } };
}

test('a connection comes back as it was saved, and nothing of its secret can be read in the file', () => {
  const { folder, keys } = places();
  openConnectionStore(folder, keys).save(mine, now);
  expect(openConnectionStore(folder, keys).open(mine.name)).toEqual(mine);
  const [file = ''] = readdirSync(folder);
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).not.toMatch(/sekret/);
  expect(JSON.parse(text)).toMatchObject({
    name: mine.name,
    configs: mine.configs,
    created: '2026-11-21T00:00:00.000Z',
  });
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(keys.file).mode & 0o777).toBe(0o600);
});

test('saved again it keeps when it was made, and never seals a secret twice alike', () => {
  const { folder, keys } = places();
  const store = openConnectionStore(folder, keys);
  const first = store.save(mine, now);
  const second = store.save(mine, now + 1000);
  expect([second.created, second.modified]).toEqual(['2026-11-21T00:00:00.000Z', '2026-11-21T00:00:01.000Z']);
  expect(second.secrets['api_key']).not.toBe(first.secrets['api_key']);
  expect([store.delete(mine.name), store.delete(mine.name), store.find(mine.name)]).toEqual([true, false, undefined]);
});

test('without its key a store is listed and says what is missing', () => {
  const { folder, keys } = places();
  openConnectionStore(folder, keys).save(mine, now);
  const elsewhere = openConnectionStore(folder, { file: join(root, 'no-such-keys') });
  expect(elsewhere.list().map(({ name }) => name)).toEqual([mine.name]);
  expect(() => elsewhere.open(mine.name)).toThrow(
    /^the secrets of connection "mine\/東京 1" were encrypted with key [0-9a-f]{8}, which is not here \(looked in .*no-such-keys and FLOW_CONNECTION_KEY\): bring that key/,
  );
});

test('a secret moved to another connection, or altered, does not open', () => {
  const { folder, keys } = places();
  const store = openConnectionStore(folder, keys);
  store.save(mine, now);
  store.save({ ...mine, name: 'other', secrets: { api_key: 'sekret-2' } }, now);
  const path = join(folder, 'other.json');
  const moved = { ...JSON.parse(readFileSync(path, 'utf8')), secrets: store.find(mine.name)?.secrets };
  writeFileSync(path, JSON.stringify(moved));
  expect(() => store.open('other')).toThrow('the api_key kept for connection "other" was altered');
});

test('a new key reads what the old one wrote, until that is forgotten', () => {
  const { folder, keys } = places();
  const store = openConnectionStore(folder, keys);
  const far = openConnectionStore(places().folder, keys);
  store.save(mine, now);
  far.save(mine, now);
  const before = store.find(mine.name)?.secrets['api_key']?.split(':')[1];
  expect(rotateKey([store], keys, false)).toBe(1);
  expect(store.find(mine.name)?.secrets['api_key']?.split(':')[1]).not.toBe(before);
  expect([store.open(mine.name), far.open(mine.name)]).toEqual([mine, mine]);
  rotateKey([store], keys, true);
  expect(store.open(mine.name)).toEqual(mine);
  expect(() => far.open(mine.name)).toThrow(`encrypted with key ${before}`);
});

test('a key that cannot read everything is not replaced', () => {
  const { folder, keys } = places();
  openConnectionStore(folder, keys).save(mine, now);
  const other = { file: join(root, 'other-keys') };
  expect(() => rotateKey([openConnectionStore(folder, other)], other, true)).toThrow('which is not here');
  expect(openConnectionStore(folder, keys).open(mine.name)).toEqual(mine);
});

test.for([
  ['as base64', Buffer.alloc(32, 7).toString('base64'), undefined],
  ['as hexadecimal digits', '07'.repeat(32), undefined],
  ['too short', 'c2hvcnQ=', 'FLOW_CONNECTION_KEY holds no key: a key is 32 bytes as base64'],
] as const)('a key of the environment %s', ([, variable, problem]) => {
  const store = openConnectionStore(places().folder, { variable });
  const saveAndOpen = (): Connection | undefined => {
    store.save(mine, now);
    return store.open(mine.name);
  };
  if (problem === undefined) expect(saveAndOpen()).toEqual(mine);
  else expect(saveAndOpen).toThrow(problem);
});

test('a key file that others may read is refused', () => {
  const { folder, keys } = places();
  const store = openConnectionStore(folder, keys);
  store.save(mine, now);
  chmodSync(keys.file, 0o644);
  expect(() => store.open(mine.name)).toThrow('may be read by others (mode 644): chmod 600');
});

test('a store in a file of its own name is refused in words', () => {
  const { folder, keys } = places();
  writeFileSync(folder, '');
  const words = 'cannot be written: a file stands where a folder is wanted';
  expect(() => openConnectionStore(join(folder, 'inner'), keys).save(mine, now)).toThrow(words);
});

test('sealing is AES-256-GCM: the reference vector of its specification opens', () => {
  // Test case 16 of "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega, without its associated data: case 14.
  const key = { id: 'zero', bytes: Buffer.alloc(32) };
  const tag = '530f8afbc74536b9a963b4f1c4cb738b';
  const empty = `a256gcm:zero:${Buffer.from(`${'00'.repeat(12)}${tag}`, 'hex').toString('base64')}`;
  expect(openSecret(empty, '', [key])).toEqual({ ok: true, secret: '' });
  expect(openSecret(sealSecret('x', 'here', key), 'there', [key])).toEqual({ ok: false });
});
