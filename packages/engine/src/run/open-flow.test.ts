import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { NodeType } from '../node/node-type.ts';
import { madeTypes, noConnections } from './made-flow.fixture.ts';
import { locateFlow, openFlow } from './open-flow.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-open-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(folder, { recursive: true });
  return folder;
}

const one = 'nodes:\n- {name: a, type: pure, source: {type: code, path: x.ts}}\n';

test('a flow is found by its folder or its file', () => {
  const dag = folderOf('dag', { 'flow.dag.yaml': one });
  const flex = folderOf('flex', { 'flow.flex.yaml': 'entry: a:b\n' });
  const both = folderOf('both', { 'flow.dag.yaml': one, 'flow.flex.yaml': 'entry: a:b\n' });
  const empty = folderOf('empty', {});
  expect(locateFlow(dag)).toEqual({ ok: true, file: join(dag, 'flow.dag.yaml'), folder: dag });
  expect(locateFlow(join(dag, 'flow.dag.yaml'))).toEqual({ ok: true, file: join(dag, 'flow.dag.yaml'), folder: dag });
  expect(locateFlow(flex)).toEqual({ ok: true, file: join(flex, 'flow.flex.yaml'), folder: flex });
  expect(locateFlow(both)).toEqual({
    ok: false,
    message: `Multiple files flow.dag.yaml, flow.flex.yaml exist in ${both}. Please specify a file or remove the extra YAML file.`,
  });
  expect(locateFlow(join(both, 'flow.flex.yaml'))).toMatchObject({ ok: true, folder: both });
  expect(locateFlow(empty)).toEqual({ ok: false, message: `${empty} holds no flow.dag.yaml` });
  expect(locateFlow(join(root, 'none'))).toEqual({
    ok: false,
    message: `there is no file or folder ${join(root, 'none')}`,
  });
});

const options = { nodeTypes: madeTypes(), connections: noConnections };
const at = (folder: string) => ({ file: join(folder, 'flow.dag.yaml'), folder });

test('a sound flow can run; a text that is none has diagnostics and no more', async () => {
  const opened = await openFlow(at(folderOf('sound', { 'flow.dag.yaml': one, 'x.ts': '' })), options);
  expect(Object.keys(opened).sort()).toEqual(['diagnostics', 'flow', 'spec']);
  expect((await opened.flow?.runRow({}))?.row.status).toBe('Completed');
  await opened.flow?.[Symbol.asyncDispose]();
  const broken = await openFlow(at(folderOf('broken', { 'flow.dag.yaml': 'nodes: [' })), options);
  expect(Object.keys(broken)).toEqual(['diagnostics']);
  expect(broken.diagnostics.length).toBeGreaterThan(0);
});

test('places are shown from the folder that is asked for, else from the flow itself', async () => {
  const folder = folderOf('shown', {
    'flow.dag.yaml': 'nodes:\n- {name: a, type: unheard_of, source: {path: x.ts}}\n',
  });
  const paths = async (shownFrom?: string) => {
    const { diagnostics } = await openFlow(at(folder), {
      ...options,
      ...(shownFrom === undefined ? {} : { shownFrom }),
    });
    return [...new Set(diagnostics.map(({ span }) => span?.file.path))];
  };
  expect(await paths()).toEqual(['flow.dag.yaml']);
  expect(await paths(root)).toEqual(['shown/flow.dag.yaml']);
});

test('a node that cannot be made ready is told with what is known of the flow', async () => {
  const [type] = [...madeTypes().values()];
  if (type === undefined) return;
  const { PrepareError } = await import('../node/node-type.ts');
  const failing: NodeType = {
    ...type,
    name: 'pure',
    prepare: async () => Promise.reject(new PrepareError({ code: 'NoModule', message: 'gone', retryable: false })),
  };
  const folder = folderOf('failing', { 'flow.dag.yaml': one, 'x.ts': '' });
  const opened = await openFlow(at(folder), { ...options, nodeTypes: new Map([['pure', failing]]) });
  expect(opened.flow).toBeUndefined();
  expect(opened.spec?.nodes).toHaveLength(1);
  expect(opened.loadError).toMatchObject({ code: 'ResolveToolError', node: 'a', cause: { code: 'NoModule' } });
});

test('files from elsewhere lie beside the flow while it is open, and are gone with it', async () => {
  const shared = folderOf('shared', { 'data/one.txt': 'one' });
  const text = `additional_includes: ["../shared/data"]\n${one}`;
  const folder = folderOf('including', { 'flow.dag.yaml': text, 'x.ts': '' });
  let seen: string | undefined;
  const [type] = [...madeTypes().values()];
  if (type === undefined) return;
  const looking: NodeType = {
    ...type,
    name: 'pure',
    prepare: (definition, context) => {
      seen = context.files.resolve('data/one.txt');
      return type.prepare(definition, context);
    },
  };
  const opened = await openFlow(at(folder), { ...options, nodeTypes: new Map([['pure', looking]]) });
  expect(opened.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(readFileSync(seen ?? '', 'utf8')).toBe('one');
  await opened.flow?.[Symbol.asyncDispose]();
  expect(existsSync(seen ?? '')).toBe(false);
  expect(existsSync(join(shared, 'data/one.txt'))).toBe(true);
});

test('where every mistake keeps only its node from being made ready, the one that is met first is told; else only the mistakes', async () => {
  const { PrepareError } = await import('../node/node-type.ts');
  const [type] = [...madeTypes().values()];
  if (type === undefined) return;
  /** The code `x.ts` is not to be had, `y.ts` is wrong otherwise; `z.ts` is fine, and yet cannot be made ready. */
  const mistaken: NodeType = {
    ...type,
    name: 'pure',
    inspect: ({ name, source }) => {
      const path = source?.path;
      const message = `${path} is not to be had`;
      const unready = path === 'x.ts' ? { unreadyNode: name } : {};
      const told = { severity: 'error', code: 'NODE_CODE', message, ...unready } as const;
      return { diagnostics: path === 'z.ts' ? [] : [told], takesAnyInput: true, files: [] };
    },
    prepare: async (definition, context) => {
      if (definition.source?.path === 'z.ts') return type.prepare(definition, context);
      throw new PrepareError({ code: 'NoModule', message: `no ${definition.source?.path}`, retryable: false });
    },
  };
  const openWith = async (...paths: readonly string[]) => {
    const nodes = paths.map((path, at) => `- {name: n${at}, type: pure, source: {type: code, path: ${path}}}\n`);
    const folder = folderOf(`tools-${paths.join('-')}`, { 'flow.dag.yaml': `nodes:\n${nodes.join('')}` });
    return await openFlow(at(folder), { ...options, nodeTypes: new Map([['pure', mistaken]]) });
  };
  const onlyTools = await openWith('z.ts', 'x.ts', 'x.ts');
  expect([onlyTools.flow, onlyTools.loadError]).toEqual([
    undefined,
    expect.objectContaining({ code: 'ResolveToolError', node: 'n1', cause: { code: 'NoModule', message: 'no x.ts' } }),
  ]);
  const mixed = await openWith('x.ts', 'y.ts');
  expect(Object.keys(mixed).toSorted()).toEqual(['diagnostics', 'spec']);
});
