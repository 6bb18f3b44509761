import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { composeConnections, findFlow, openProject, type ProjectHost, packFlow } from '@unroll/project';
import { expect, test } from 'vitest';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { freshDatabase } from '../testing/index.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { bundleFile, bundleFlow, bundleManifest, type FlowBundle, storeBundle, unpackBundle } from './index.ts';

const flow = {
  'team/ask/flow.dag.yaml': `additional_includes:
- ../shared/words.txt
- ../shared/tools
inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.ts}, inputs: {q: "\${inputs.q}"}}
`,
  'team/ask/say.ts': 'export const say = ({ q }: { q: string }) => q;\n',
  'team/ask/data/faq.jsonl': '{"a": 1}\n',
  'team/ask/.env': 'KEY=sk-secret\n',
  'team/ask/connections.yaml': 'azure: {type: azure_open_ai, api_key: abc}\n',
  'team/ask/server.pem': 'key\n',
  'team/shared/words.txt': 'words\n',
  'team/shared/tools/cut.ts': 'export const cut = 1;\n',
};

function writeFlow(folder: string, files: Readonly<Record<string, string>> = flow): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function bundleOf(folder: string): Promise<FlowBundle & { readonly leftOut: readonly string[] }> {
  const host = { folder, environment: {}, redactor: new Redactor() } as unknown as ProjectHost;
  const found = findFlow('team/ask', host);
  const { plan } = await openProject(folder, { environment: {} }).check('team/ask');
  if (plan === undefined) throw new Error('the flow of the test is wrong');
  const copy = packFlow(found, plan, composeConnections(host, found.folder), host);
  return { ...bundleFlow(copy, found, folder), leftOut: copy.leftOut.map(({ path }) => path) };
}

test('a bundle has what the flow has and includes, and no file of secrets', async () => {
  using folder = temporaryFolder();
  writeFlow(folder.path);
  const { manifest, contents, leftOut } = await bundleOf(folder.path);
  expect(manifest.flow).toBe('team/ask/flow.dag.yaml');
  expect(manifest.files.map(({ path }) => path)).toEqual([
    'data/faq.jsonl',
    'flow.dag.yaml',
    'say.ts',
    'tools/cut.ts',
    'words.txt',
  ]);
  expect([...leftOut].sort()).toEqual(['.env', 'connections.yaml', 'server.pem']);
  const texts = [...contents.values()].map((bytes) => Buffer.from(bytes).toString()).join('');
  expect(texts).not.toContain('additional_includes');
});

test('the same files are the same bundle wherever they lie; another byte makes another', async () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  writeFlow(one.path);
  writeFlow(other.path);
  const first = await bundleOf(one.path);
  expect((await bundleOf(other.path)).id).toBe(first.id);
  writeFileSync(join(other.path, 'team/shared/words.txt'), 'worde\n');
  expect((await bundleOf(other.path)).id).not.toBe(first.id);
});

test('a secret that is known keeps a flow here', async () => {
  using folder = temporaryFolder();
  writeFlow(folder.path, {
    ...flow,
    'team/ask/say.ts': "export const say = () => 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';\n",
  });
  await expect(bundleOf(folder.path)).rejects.toMatchObject({
    code: 'SecretInFlow',
    message: 'team/ask/say.ts:1 holds a secret',
  });
});

test('a flow that is too large is refused with its largest files', async () => {
  using folder = temporaryFolder();
  writeFlow(folder.path);
  for (const [name, size] of [
    ['index.db', 40],
    ['old.db', 11],
  ] as const) {
    writeFileSync(join(folder.path, 'team/ask/data', name), '');
    truncateSync(join(folder.path, 'team/ask/data', name), size * 2 ** 20);
  }
  await expect(bundleOf(folder.path)).rejects.toMatchObject({
    code: 'BundleTooLarge',
    message: 'the flow has 51.0 MB of files, and at most 50.0 MB go to workers',
    help: expect.stringMatching(/^The largest:\n {2}40\.0 MB {2}data\/index\.db\n {2}11\.0 MB {2}data\/old\.db\n/),
  });
});

test('stored and unpacked, it is there once, byte by byte, and nothing half is left', async () => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(fresh.url);
  await migrate(database);
  using folder = temporaryFolder();
  using cache = temporaryFolder();
  writeFlow(folder.path);
  const bundle = await bundleOf(folder.path);
  await storeBundle(bundle, database);
  await storeBundle(bundle, database);
  const manifest = await bundleManifest(bundle.id, database);
  expect(manifest).toEqual(bundle.manifest);
  const unpack = () => unpackBundle(bundle.id, manifest, cache.path, (digest) => bundleFile(digest, database));
  const unpacked = await Promise.all([unpack(), unpack(), unpack()]);
  expect(new Set(unpacked.map(({ found }) => found.file)).size).toBe(1);
  const [{ root, found } = { root: '', found: { file: '', folder: '' } }] = unpacked;
  expect(found.file).toBe(join(root, 'team/ask/flow.dag.yaml'));
  expect(readFileSync(join(found.folder, 'tools/cut.ts'), 'utf8')).toBe(flow['team/shared/tools/cut.ts']);
  expect(readdirSync(join(cache.path, 'bundles'))).toEqual([bundle.id]);
});

test('a file that is not what was sent is refused, and leaves nothing', async () => {
  using folder = temporaryFolder();
  using cache = temporaryFolder();
  writeFlow(folder.path);
  const { id, manifest } = await bundleOf(folder.path);
  const other = async (): Promise<Uint8Array> => Buffer.from('other');
  await expect(unpackBundle(id, manifest, cache.path, other)).rejects.toThrow('data/faq.jsonl is not what was sent');
  expect(readdirSync(cache.path)).toEqual([]);
});
