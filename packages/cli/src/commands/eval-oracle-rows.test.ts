// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = [1, 2, 3].map((at) => `{"q": "q${at}", "want": "q${at}!", "expected": {"one": "q${at}!"}}\n`);

const files = {
  'f/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  a: {type: string, reference: "\${one.output}"}
nodes:
- {name: one, type: python, source: {type: code, path: one.ts}, inputs: {q: "\${inputs.q}"}}
`,
  'f/one.ts': 'export function one({ q }: { q: string }) { return `${q}!`; }\n',
  'e/cases.jsonl': rows.join(''),
  'other.jsonl': '{"q": "another"}\n',
  'turned.jsonl': rows.toReversed().join(''),
  'e/eval.yaml':
    'flow: ../f\ndata: cases.jsonl\nmetrics:\n- {name: right, on: outputs.a, evaluator: equals, expected: "${row.want}"}\n',
};

test('a run that is right gives its outputs to rows of its own inputs alone; of no scores nothing is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  await world.flow('run', 'f', '--data', 'turned.jsonl', '--name', 'turned', '--quiet');
  writeFiles(world.folder, { 'f/one.ts': 'export function one({ q }: { q: string }) { return `${q}?`; }\n' });
  await world.flow('eval', 'e', '--name', 'broken', '--quiet');
  const oracle = (...args: readonly string[]) => world.flow('eval', 'e', '--oracle', 'one', ...args, '--quiet');
  const from = await oracle('--run', 'broken', '--oracle-from', 'turned', '--json');
  expect(from.stderr).toBe(
    'warning: run turned has other inputs than run broken in 2 rows (0, 2): nothing is given there\n',
  );
  expect(JSON.parse(from.stdout).gains).toMatchObject([{ rows: 1, before: 0, after: 1 / 3 }]);
  writeFiles(world.folder, { 'e/cases.jsonl': [...rows, '{"q": "q4", "expected": {"one": "q4!"}}\n'].join('') });
  await world.flow('eval', 'e', '--name', 'unscored', '--rows', '3', '--quiet');
  const unscored = await oracle('--run', 'unscored');
  expect(unscored.stdout).toMatch(/^one +1 +– +– +– +202/m);
  expect(JSON.parse((await oracle('--run', 'unscored', '--json')).stdout).gains).toMatchObject([
    { before: null, after: null, gain: null },
  ]);
});

test('what the data expects is given to rows of its own inputs alone', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { ...files, 'f/one.ts': 'export const one = ({ q }: { q: string }) => `${q}?`;\n' });
  await world.flow('run', 'f', '--data', 'turned.jsonl', '--name', 'turned', '--quiet');
  await world.flow('run', 'f', '--data', 'other.jsonl', '--name', 'other', '--quiet');
  const oracle = (...args: readonly string[]) => world.flow('eval', 'e', '--oracle', 'one', ...args, '--quiet');
  const turned = await oracle('--run', 'turned', '--json');
  expect(turned.stderr).toContain(
    'warning: the data has other inputs than run turned in 2 rows (0, 2): nothing is given there\n',
  );
  expect(JSON.parse(turned.stdout).gains).toMatchObject([{ rows: 1, before: 0, after: 1 }]);
  const other = await oracle('--run', 'other');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('1 row (0): nothing is given there')]);
});

test('a node that failed is worth fixing, though rows without a score are in no mean', async () => {
  using world = createTestWorld();
  const failing = "export function one({ q }: { q: string }) { if (q !== 'q1') throw new Error(q); return `${q}!`; }\n";
  writeFiles(world.folder, { ...files, 'f/one.ts': failing });
  await world.flow('eval', 'e', '--name', 'broken', '--quiet');
  const { stdout } = await world.flow('eval', 'e', '--run', 'broken', '--oracle', 'one', '--quiet');
  expect(stdout).toMatch(/^one +3 +100 % +100 % +±0 .* 2 scored only now +202/m);
  expect(stdout).toContain('\nfixing one gives 2 rows a score of right that had none: such rows are in no mean\n');
});

test('a node that gave what was expected in the first run of a row alone is no one that always did', async () => {
  using world = createTestWorld();
  const wavering =
    'let count = 0;\nexport const one = ({ q }: { q: string }) => { count += 1; return count === 1 ? `${q}!` : `${q}?`; };\n';
  writeFiles(world.folder, { ...files, 'f/one.ts': wavering });
  const repeated = ['--rows', '0', '--repeat', '2', '--concurrency', '1', '--quiet'];
  await world.flow('eval', 'e', '--name', 'broken', ...repeated);
  const { stdout } = await world.flow('eval', 'e', '--run', 'broken', '--oracle', 'one', '--json', '--quiet');
  expect(JSON.parse(stdout)).toMatchObject({ gains: [{ rows: 1, before: 0.5, after: 1 }], left_out: [] });
});
