import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { agentFolder } from './privacy-agent/run-agent.ts';

/** The privacy agent run on its first rows as it is, and again after `edit` changed a file of it. */
async function twoRuns(
  edit: { readonly file: string; readonly from: string; readonly to: string },
  rows = '0-4',
): Promise<TestWorld> {
  const world = createTestWorld();
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(world.folder, 'node_modules'));
  const flow = join(world.folder, 'agent');
  cpSync(agentFolder, flow, { recursive: true });
  const run = ['run', 'agent', '--data', 'agent/data.jsonl', '--rows', rows];
  expect(await world.flow(...run)).toMatchObject({ code: 0 });
  const text = readFileSync(join(flow, edit.file), 'utf8');
  expect(text).toContain(edit.from);
  writeFileSync(join(flow, edit.file), text.replaceAll(edit.from, edit.to));
  expect(await world.flow(...run)).toMatchObject({ code: 0 });
  return world;
}

interface Told {
  readonly verdict: string;
  readonly nodes: readonly { readonly name: string; readonly kinds: object; readonly changed: number }[];
}

async function told(world: TestWorld): Promise<Told> {
  const [first = '', second = ''] = JSON.parse((await world.flow('runs', '--json')).stdout)
    .map(({ id }: { id: string }) => id)
    .sort();
  return JSON.parse((await world.flow('diff', first, second, '--json')).stdout);
}

test('one word of the prompt: the agent is the cause, everything behind it an effect', async () => {
  using world = await twoRuns({ file: 'agent.jinja2', from: 'まず faq_search', to: 'まず guideline_search' });
  const { verdict, nodes } = await told(world);
  expect(verdict).toMatch(
    /^Outputs changed in \d of 5 rows\. Cause: agent \(prompt agent\.jinja2 changed, agent\/flow\.dag\.yaml:\d+\)\. \d+ changes are effects of it\.$/,
  );
  const kinds = nodes.map(({ name, kinds: of }) => `${name}: ${Object.keys(of)}`);
  expect(kinds).toEqual(['format_input: ', 'agent: cause', 'function: effect', 'search: effect']);
});

test('a remark in the code is without effect', async () => {
  using world = await twoRuns({ file: 'format_input.ts', from: 'export ', to: '/* as before */ export ' }, '0-1');
  const { verdict, nodes } = await told(world);
  expect(verdict).toBe(
    'The same in 2 rows: every node, every output. Without effect: format_input (code format_input.ts changed).',
  );
  expect(nodes.every(({ changed }) => changed === 0)).toBe(true);
});

test('what the functions search in is a cause of its own', async () => {
  using world = await twoRuns(
    { file: 'knowledge/faq.jsonl', from: '個人情報とは何ですか', to: '個人情報とは何のことですか' },
    '0',
  );
  const { verdict } = await told(world);
  expect(verdict).toMatch(/Cause: function \(data knowledge\/faq\.jsonl changed/);
});

test('rows are paired by a column of the data that is no input', async () => {
  const world = createTestWorld();
  using _world = world;
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(world.folder, 'node_modules'));
  cpSync(agentFolder, join(world.folder, 'agent'), { recursive: true });
  const rows = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, query: `個人情報とは何ですか ${id}` }));
  const run = async (file: string, lines: readonly string[]): Promise<void> => {
    writeFileSync(join(world.folder, file), `${lines.join('\n')}\n`);
    const mapping = ['--column-mapping', 'query=${data.query}'];
    expect(await world.flow('run', 'agent', '--data', file, ...mapping)).toMatchObject({ code: 0 });
  };
  await run('one.jsonl', rows);
  await run(
    'two.jsonl',
    [...rows].reverse().map((row) => row.replace('とは何ですか', 'って何')),
  );
  const ids = JSON.parse((await world.flow('runs', '--json')).stdout).map(({ id }: { id: string }) => id);
  const [first = '', second = ''] = ids.sort();
  const diff = async () => world.flow('diff', first, second, '--key', 'id', '--rows', '9', '--json');
  const { differing_rows: pairs, paired_by: by } = JSON.parse((await diff()).stdout);
  const places = pairs.map(
    ({ left, right }: Record<'left' | 'right', { line: number }>) => `${left.line}=${right.line}`,
  );
  expect([by, ...places]).toEqual(['key', '0=2', '1=1', '2=0']);
  writeFileSync(join(world.folder, 'two.jsonl'), `${rows[0]}\n`);
  expect((await diff()).stderr).toContain('and its data, two.jsonl, has changed since\n');
});

test('the data that rows are paired by is read in the form it was given in', async () => {
  using world = createTestWorld();
  const flow = `inputs: {query: {type: string}}
outputs: {answer: {type: string, reference: "\${shown.output}"}}
nodes:
- {name: shown, type: prompt, source: {type: code, path: shown.jinja2}, inputs: {query: "\${inputs.query}"}}
`;
  mkdirSync(join(world.folder, 'shown'));
  writeFileSync(join(world.folder, 'shown/flow.dag.yaml'), flow);
  writeFileSync(join(world.folder, 'shown/shown.jinja2'), '{{query}}\n');
  const cp932 = (text: string): Buffer => Buffer.from(text.replaceAll('日', '\x93\xfa'), 'latin1');
  writeFileSync(join(world.folder, 'one'), cp932('日,query\n1日,a\n2日,b\n'));
  writeFileSync(join(world.folder, 'two'), cp932('日,query\n2日,b\n1日,a\n'));
  for (const data of ['one', 'two']) {
    const given = ['--data', data, '--data-format', 'csv', '--encoding', 'cp932', '--name', data];
    expect(await world.flow('run', 'shown', ...given)).toMatchObject({ code: 0 });
  }
  expect(await world.flow('diff', 'one', 'two', '--key', '日')).toMatchObject({
    stdout: expect.stringContaining('2 of 2 rows compared, paired by 日\n'),
    stderr: '',
  });
});
