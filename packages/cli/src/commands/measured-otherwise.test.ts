// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flowOf = (input: string, output: string) => `inputs: {${input}: {type: string}}
outputs: {${output}: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.mjs}, inputs: {${input}: "\${inputs.${input}}"}}
`;

const evaluation = (judged: string, equal: string) => `flow: ../ask
data: rows.jsonl
metrics:
- {name: judged, evaluator: flow, flow: ../judge, inputs: {answer: "\${outputs.a}"}${judged}}
- {name: own, on: outputs.a, evaluator: own.mjs}
- {name: equal, on: outputs.a, evaluator: equals, expected: ${equal}}
`;

const files = {
  'ask/flow.dag.yaml': flowOf('q', 'a'),
  'ask/say.mjs': 'export const say = ({ q }) => q;\n',
  'judge/flow.dag.yaml': flowOf('answer', 'score'),
  'judge/say.mjs': 'export const say = ({ answer }) => answer.length;\n',
  'ev/own.mjs': 'export const own = ({ value }) => value.length;\n',
  'ev/rows.jsonl': '{"q": "a"}\n{"q": "bb"}\n',
  'ev/eval.yaml': evaluation('', 'a'),
};

test('what is measured otherwise than for the baseline is told, and a gate alone is not', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  await world.flow('baseline', 'accept', 'ev', '--run', 'run');
  const told = async (changed: Readonly<Record<string, string>>) => {
    writeFiles(world.folder, { ...files, ...changed });
    const { stderr } = await world.flow('eval', 'ev', '--run', 'run', '--quiet');
    return /^warning: (.*) (?:is|are) measured otherwise than when the baseline was accepted: /m.exec(stderr)?.[1];
  };
  expect(await told({ 'ev/eval.yaml': evaluation(', gate: {min: 1}', 'a') })).toBe(undefined);
  const changed = {
    'judge/say.mjs': 'export const say = ({ answer }) => answer.length + 5;\n',
    'ev/own.mjs': 'export const own = ({ value }) => value.length + 5;\n',
    'ev/eval.yaml': evaluation('', 'bb'),
  };
  expect(await told(changed)).toBe('judged, own, equal');
});

test('a metric turned round or of another kind, and rows that have no other, are told', async () => {
  using world = createTestWorld();
  const own = (better: string) => `flow: ../ask
data: rows.jsonl
key: q
metrics:
- {name: own, on: outputs.a, evaluator: own.mjs, better: ${better}}
`;
  writeFiles(world.folder, { ...files, 'ev/eval.yaml': own('higher') });
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  await world.flow('baseline', 'accept', 'ev', '--run', 'run');
  const told = async (changed: Readonly<Record<string, string>>, ...words: readonly string[]) => {
    writeFiles(world.folder, { ...files, 'ev/eval.yaml': own('higher'), ...changed });
    const { stderr, stdout } = await world.flow('eval', 'ev', '--quiet', '--json', ...words);
    const { comparison } = JSON.parse(stdout) as { comparison: object };
    return { stderr, comparison };
  };
  const turned = await told({ 'ev/eval.yaml': own('lower') }, '--run', 'run');
  expect(turned.stderr).toContain('warning: own: in run what is better was the other way round, higher or lower;');
  expect(turned.comparison).toMatchObject({ turned: ['own'] });
  const kind = await told({ 'ev/own.mjs': 'export const own = ({ value }) => value.length > 1;\n' }, '--run', 'run');
  expect(kind.stderr).toContain('warning: own is not compared with run: one of the two has scores that pass or fail,');
  expect(kind.comparison).toMatchObject({ otherKinds: ['own'] });
  const measured = await told(
    { 'ev/own.mjs': 'export const own = ({ value }) => value.length + 1;\n' },
    '--run',
    'run',
  );
  expect(measured.comparison).toMatchObject({ measuredOtherwise: ['own'] });
  const other = await told({ 'ev/rows.jsonl': '{"q": "c"}\n{"q": "dd"}\n' });
  expect(other.stderr).toContain('warning: nothing is compared: no row has the q of a row of run\n');
});

test('a metric that was renamed is held to nothing, and the one that the baseline guards is gone: both are told', async () => {
  using world = createTestWorld();
  const named = (name: string) =>
    evaluation('', 'a').replace('name: equal,', `name: ${name}, gate: {no_worse_than: baseline},`);
  writeFiles(world.folder, { ...files, 'ev/eval.yaml': named('equal') });
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  await world.flow('baseline', 'accept', 'ev', '--run', 'run');
  const kept = await world.flow('eval', 'ev', '--run', 'run', '--quiet');
  expect(kept.stderr).toBe('');
  writeFiles(world.folder, { 'ev/eval.yaml': named('alike') });
  const { code, stdout, stderr } = await world.flow('eval', 'ev', '--run', 'run', '--quiet', '--json');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'warning: the baseline has no scores of alike, so that it is held to none. flow baseline accept ev writes one.\n' +
      'warning: the baseline guards equal, which is not measured any more\n',
  });
  expect(JSON.parse(stdout)).toMatchObject({ comparison: { newMetrics: ['alike'], goneMetrics: ['equal'] } });
});

test('a baseline of another evaluation of the flow is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...files,
    'other/eval.yaml': evaluation('', 'a'),
    'other/rows.jsonl': files['ev/rows.jsonl'],
    'other/own.mjs': files['ev/own.mjs'],
  });
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  await world.flow('baseline', 'accept', 'ev', '--run', 'run');
  const { stderr } = await world.flow('eval', 'other', '--run', 'run', '--quiet', '--baseline', 'ev/baseline.json');
  expect(stderr).toContain(
    'warning: the baseline is one of the evaluation ev, not of other: metrics that bear the same name are compared\n',
  );
});

test('a baseline of another evaluation of another flow is refused before a row runs', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...files,
    'asked/flow.dag.yaml': files['ask/flow.dag.yaml'],
    'asked/say.mjs': files['ask/say.mjs'],
    'other/eval.yaml': evaluation('', 'a').replace('../ask', '../asked'),
    'other/rows.jsonl': files['ev/rows.jsonl'],
    'other/own.mjs': files['ev/own.mjs'],
  });
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  await world.flow('baseline', 'accept', 'ev', '--run', 'run');
  const { code, stderr } = await world.flow('eval', 'other', '--name', 'more', '--baseline', 'ev/baseline.json');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'error: ev/baseline.json is the baseline of evaluation ev of flow ask, not of other of asked\n' +
      'flow baseline accept other writes one. To compare runs of two flows: --against RUN.\n',
  });
  expect((await world.flow('show', 'more')).code).toBe(2);
});

test('a run over other data is compared by the keys of the data that it was made of', async () => {
  using world = createTestWorld();
  const over = (data: string) => `flow: ../ask
data: ${data}
key: id
metrics:
- {name: own, on: outputs.a, evaluator: own.mjs}
`;
  writeFiles(world.folder, {
    ...files,
    'ev/one.yaml': over('one.jsonl'),
    'ev/one.jsonl': '{"id": 1, "q": "a"}\n{"id": 2, "q": "bb"}\n',
    'ev/two.yaml': over('two.jsonl'),
    'ev/two.jsonl': '{"id": 3, "q": "ccc"}\n{"id": 2, "q": "bb"}\n{"id": 1, "q": "a"}\n',
  });
  await world.flow('eval', 'ev/one.yaml', '--name', 'one', '--quiet');
  const { stdout, stderr } = await world.flow('eval', 'ev/two.yaml', '--against', 'one', '--json', '--quiet');
  const { comparison } = JSON.parse(stdout) as { comparison: object };
  expect(comparison).toMatchObject({ pairedBy: 'key', paired: 2 });
  expect(stderr).not.toContain('nothing is compared');
});
