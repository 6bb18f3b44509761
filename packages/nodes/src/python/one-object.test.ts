import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-one-object-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const head = 'from promptflow.core import tool\n\n\n@tool\n';
const files = {
  'makes.py': 'def f():\n    return {"list": [1], "more": {"deep": [0]}}\n',
  'adds.py': 'def f(given, after=None):\n    given.append(2)\n    return len(given)\n',
  'sees.py': 'def f(given, after=None):\n    return given\n',
  'parts.py':
    'def f():\n    from enum import Enum\n    E = Enum("E", "A")\n    return {"t": (1, [2, (3,)]), "k": {1: "x"}, "e": E.A}\n',
  'keeps.py': 'def f():\n    return {"b": [1], "10": (0, [5]), "9": 2}\n',
  'alters.py':
    'def f(given):\n    given["b"].append((3,))\n    given["10"][1].clear()\n    given["c"] = 4\n    return given["b"]\n',
  'gives.py': 'def f(given, how):\n    return eval(how)\n',
  'deep.py': 'def f(given):\n    given["i"].append(7)\n    return 1\n',
  'tuples.py': 'def f(given):\n    given.append((3, {"10": 1, "9": 2}))\n    return 1\n',
  'spoils.py': 'def f(given):\n    given["b"].append({1})\n    return 1\n',
  'both.py': 'def f(given, more):\n    given.append(2)\n    more["deep"].append(3)\n    return 1\n',
  'tells.py': 'def f(*_, **given):\n    return [repr(value) for value in given.values()]\n',
};
for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), head + body);
writeFileSync(join(folder, 'shows.js'), 'export default ({ given }) => JSON.stringify(given);\n');

const node = (name: string, file: string, inputs = '{}'): string =>
  `- {name: ${name}, type: python, source: {type: code, path: ${file.includes('.') ? file : `${file}.py`}}, inputs: ${inputs}}\n`;

async function run(outputs: Readonly<Record<string, string>>, nodes: string, inputs = '', given = {}) {
  const shown = Object.entries(outputs).map(([name, from]) => `  ${name}: {type: string, reference: "\${${from}}"}\n`);
  const text = `${inputs}outputs:\n${shown.join('')}nodes:\n${nodes}`;
  await using flow = await openWrittenFlow(text, folder);
  const { row, nodes: runs } = await flow.runRow(given);
  if (row.error !== undefined) throw new Error(row.error.message);
  const records = Object.fromEntries(runs.map(({ node, output }) => [node, JSON.parse(JSON.stringify(output))]));
  return { outputs: row.outputs, records };
}

test('what a node changes in a value it was given is seen by all who read it after, and not by records made before', async () => {
  const nodes = [
    node('makes', 'makes'),
    node('adds', 'adds', '{given: "${makes.output.list}"}'),
    node('sees', 'sees', '{given: "${makes.output}", after: "${adds.output}"}'),
  ].join('');
  const after = { list: [1, 2], more: { deep: [0] } };
  expect(await run({ whole: 'makes.output', seen: 'sees.output', length: 'adds.output' }, nodes)).toEqual({
    outputs: { whole: after, seen: after, length: 2 },
    records: { makes: { list: [1], more: { deep: [0] } }, adds: 2, sees: after },
  });
});

test('so with an input of the flow', async () => {
  const inputs = 'inputs: {x: {type: list}}\n';
  const ran = await run({ x: 'inputs.x' }, node('adds', 'adds', '{given: "${inputs.x}"}'), inputs, { x: [7] });
  expect(ran.outputs).toEqual({ x: [7, 2] });
});

test('parts of an object arrive as they were made, and what JSON cannot carry is recorded as a whole', async () => {
  const inputs = '{t: "${parts.output.t}", k: "${parts.output.k}", deep: "${parts.output.t[1]}"}';
  const { outputs, records } = await run(
    { told: 'tells.output' },
    node('parts', 'parts') + node('tells', 'tells', inputs),
  );
  expect(outputs).toEqual({ told: ['(1, [2, (3,)])', "{1: 'x'}", '[2, (3,)]'] });
  expect(records['parts']).toBe("{'t': (1, [2, (3,)]), 'k': {1: 'x'}, 'e': <E.A: 1>}");
});

test('what a node changes in an object that JSON does not give again is in the outputs of the flow', async () => {
  const nodes = node('keeps', 'keeps') + node('alters', 'alters', '{given: "${keeps.output}"}');
  const outputs = { whole: 'keeps.output', part: 'keeps.output.b', given: 'alters.output' };
  const ran = await run(outputs, nodes);
  expect(ran.outputs).toEqual({
    whole: { 9: 2, 10: [0, []], b: [1, [3]], c: 4 },
    part: [1, [3]],
    given: [1, [3]],
  });
  expect(ran.records['keeps']).toEqual({ 9: 2, 10: [0, [5]], b: [1] });
});

test('what is no JSON any more as an output fails the row', async () => {
  const nodes = node('keeps', 'keeps') + node('spoils', 'spoils', '{given: "${keeps.output}"}');
  await expect(run({ whole: 'keeps.output' }, nodes)).rejects.toThrow('Object of type set is not JSON serializable');
});

test.for([
  ['as it is', 'given', 'adds', [1, 2]],
  ['inside a mapping', '{"i": given}', 'deep', [1, 7]],
  ['as a part', '[given, {"i": given}][1]', 'deep', [1, 7]],
  ['changed', 'given.append(5) or given', 'adds', [1, 5, 2]],
])('a list that a node gives on %s stays one with what it was given', async ([, how, changes, list]) => {
  const nodes = [
    node('makes', 'makes'),
    node('gives', 'gives', `{given: "\${makes.output.list}", how: ${JSON.stringify(how)}}`),
    node('changes', changes as string, '{given: "${gives.output}"}'),
    node('sees', 'sees', '{given: "${makes.output}", after: "${changes.output}"}'),
  ].join('');
  const after = { list, more: { deep: [0] } };
  const { outputs } = await run({ whole: 'makes.output', seen: 'sees.output', part: 'makes.output.list' }, nodes);
  expect(outputs).toEqual({ whole: after, seen: after, part: list });
});

test('what JSON does not give again and a node put into a list is there for the nodes after it', async () => {
  const nodes =
    node('makes', 'makes') +
    node('tuples', 'tuples', '{given: "${makes.output.list}"}') +
    node('tells', 'tells', '{given: "${makes.output}", list: "${makes.output.list}", after: "${tuples.output}"}');
  const { outputs } = await run({ told: 'tells.output', list: 'makes.output.list' }, nodes);
  const list = "[1, (3, {'10': 1, '9': 2})]";
  expect(outputs).toEqual({
    told: [`{'list': ${list}, 'more': {'deep': [0]}}`, list, '1'],
    list: [1, [3, { 9: 2, 10: 1 }]],
  });
});

test('what a node changes beside an object that it was given is seen by all who read it after', async () => {
  const nodes = [
    node('makes', 'makes'),
    node('gives', 'gives', '{given: "${makes.output.list}", how: given}'),
    node('both', 'both', '{given: "${gives.output}", more: "${more.output.more}"}'),
    node('more', 'makes'),
    node('sees', 'sees', '{given: "${more.output}", after: "${both.output}"}'),
  ].join('');
  const { outputs } = await run({ list: 'makes.output.list', more: 'more.output', seen: 'sees.output' }, nodes);
  const more = { list: [1], more: { deep: [0, 3] } };
  expect(outputs).toEqual({ list: [1, 2], more, seen: more });
});

test.for(['makes.output', 'gives.output', 'other.output'])(
  'what Python changes in an object reaches nodes in JavaScript that read it as %s',
  async (read) => {
    const nodes = [
      node('makes', 'makes'),
      node('gives', 'gives', '{given: "${makes.output.list}", how: given}'),
      node('other', 'gives', '{given: "${gives.output}", how: "(given, 1)"}'),
      node('adds', 'adds', '{given: "${makes.output.list}", after: "${other.output}"}'),
      node('shows', 'shows.js', `{given: "\${${read}}", after: "\${adds.output}"}`),
    ].join('');
    const { outputs } = await run({ shown: 'shows.output' }, nodes);
    const whole = { list: [1, 2], more: { deep: [0] } };
    const expected = { 'makes.output': whole, 'gives.output': [1, 2], 'other.output': [[1, 2], 1] }[read];
    expect(outputs).toEqual({ shown: JSON.stringify(expected) });
  },
);

test('what is given on of an input of the flow is one with it in that row alone', async () => {
  const inputs = 'inputs: {x: {type: list, default: [7]}}\n';
  const nodes =
    node('gives', 'gives', '{given: "${inputs.x}", how: given}') + node('adds', 'adds', '{given: "${gives.output}"}');
  const runs = [await run({ x: 'inputs.x' }, nodes, inputs), await run({ x: 'inputs.x' }, nodes, inputs)];
  expect(runs.map(({ outputs }) => outputs)).toEqual([{ x: [7, 2] }, { x: [7, 2] }]);
});
