import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'unroll-shared-places-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface WrittenNode {
  readonly name: string;
  readonly code: string;
  readonly yaml: string;
}

/** A node whose code is `body`, with inputs by name. */
function node(name: string, body: string, inputs: Readonly<Record<string, string>> = {}): WrittenNode {
  const code = `from promptflow.core import tool\n@tool\ndef ${name}(${Object.keys(inputs).join(', ')}):\n    ${body}\n`;
  const given = Object.entries(inputs).map(([input, from]) => `${input}: "\${${from}}"`);
  const source = `source: {type: code, path: ${name}.py}`;
  return { name, code, yaml: `- {name: ${name}, type: python, ${source}, inputs: {${given.join(', ')}}}\n` };
}

const flows: readonly (readonly [what: string, nodes: readonly WrittenNode[], told: string])[] = [
  [
    'a list in two places of an output',
    [
      node('makes', 'l = [1]; return {"x": l, "y": l, "z": {"in": l}}'),
      node('adds', 'x.append(2)', { x: 'makes.output.x' }),
      node('told', "return f\"{all} {y} {all['x'] is all['z']['in']}\"", {
        all: 'makes.output',
        y: 'makes.output.y',
        after: 'adds.output',
      }),
    ],
    "{'x': [1, 2], 'y': [1, 2], 'z': {'in': [1, 2]}} [1, 2] True",
  ],
  [
    'a list in two places, beside one that stands in it',
    [
      node('makes', 'm = [1]; l = [m]; return {"x": l, "y": l, "z": m}'),
      node('adds', 'x.append(2); x[0].append(3)', { x: 'makes.output.x' }),
      node('told', 'return f"{all} {y} {z}"', {
        all: 'makes.output',
        y: 'makes.output.y',
        z: 'makes.output.z',
        after: 'adds.output',
      }),
    ],
    "{'x': [[1, 3], 2], 'y': [[1, 3], 2], 'z': [1, 3]} [[1, 3], 2] [1, 3]",
  ],
  [
    'lists of an input that code puts into each other',
    [
      node('begins', 'return {"in": {}}'),
      node('puts', 'm = x["in"]; l = [m]; x["x"] = l; x["y"] = l; x["z"] = m', { x: 'begins.output' }),
      node('adds', 'x["x"].append(2); x["x"][0]["k"] = 3', { x: 'begins.output', after: 'puts.output' }),
      node('told', 'return f"{x}"', { x: 'begins.output', after: 'adds.output' }),
    ],
    "{'in': {'k': 3}, 'x': [{'k': 3}, 2], 'y': [{'k': 3}, 2], 'z': {'k': 3}}",
  ],
  [
    'a list that is taken out, with a new one in its memory',
    [
      node('makes', 'm = [1]; return {"x": [m], "z": m}'),
      node('swaps', 'x.pop(); x.append([9])', { x: 'makes.output.x' }),
      node('told', 'return f"{all} {z}"', { all: 'makes.output', z: 'makes.output.z', after: 'swaps.output' }),
    ],
    "{'x': [[9]], 'z': [1]} [1]",
  ],
  [
    'a number of another class, and keys in another order,',
    [
      node('makes', 'return {"n": 1, "b": [1], "k": 2}'),
      node('turns', 'x["n"] = float(x.pop("n")); x["b"][0] = True', { x: 'makes.output' }),
      node('told', 'return f"{x}"', { x: 'makes.output', after: 'turns.output' }),
    ],
    "{'b': [True], 'k': 2, 'n': 1.0}",
  ],
  [
    'a list that is taken out of its mapping after that was given on',
    [
      node('begins', 'return {"a": [0], "c": [1]}'),
      node('part', 'return x["a"]', { x: 'begins.output' }),
      node('gives', 'x["c"].append(2); return {"x": x["c"]}', { x: 'begins.output', p: 'part.output' }),
      node('swaps', 'x["a"] = "s"', { x: 'begins.output', p: 'part.output', after: 'gives.output' }),
      node('told', 'return f"{x} {p}"', { x: 'begins.output', p: 'part.output', after: 'swaps.output' }),
    ],
    "{'a': 's', 'c': [1, 2]} [0]",
  ],
  [
    'a list that a node is given twice',
    [
      node('list', 'return {"x": [1]}'),
      node('told', 'one.append(2); return f"{two} {all} {one is two}"', {
        one: 'list.output.x',
        two: 'list.output.x',
        all: 'list.output',
      }),
    ],
    "[1, 2] {'x': [1, 2]} True",
  ],
  [
    'a list that is given on and changed later',
    [
      node('first', 'return [1, {"k": [1]}]'),
      node('gives', 'return x', { x: 'first.output' }),
      node('part', 'return {"of": x[1], "own": [1]}', { x: 'gives.output' }),
      node('grows', 'x.append("c"); x[1]["k"].append("cc"); return 0', { x: 'gives.output', after: 'part.output' }),
      node('told', 'b.append(len(a)); p["of"]["k"].append("d"); return f"{a} {b} {p} {a is b} {a[1] is p[\'of\']}"', {
        a: 'first.output',
        b: 'gives.output',
        p: 'part.output',
        after: 'grows.output',
      }),
    ],
    "[1, {'k': [1, 'cc', 'd']}, 'c', 3] [1, {'k': [1, 'cc', 'd']}, 'c', 3] {'of': {'k': [1, 'cc', 'd']}, 'own': [1]} True True",
  ],
  [
    'a list that is changed and given on, under keys in any order',
    [
      node('begins', 'return {"10": [0], "9": {"b": []}}'),
      node('swaps', 'x["9"]["b"].append(1); return {"2": x["9"], "1": x, "empty": []}', { x: 'begins.output' }),
      node('told', 's["2"]["b"].append(2); s["empty"].append(3); return f"{m} {s}"', {
        m: 'begins.output',
        s: 'swaps.output',
      }),
    ],
    "{'10': [0], '9': {'b': [1, 2]}} {'2': {'b': [1, 2]}, '1': {'10': [0], '9': {'b': [1, 2]}}, 'empty': [3]}",
  ],
  [
    'a list that a tuple is put into',
    [
      node('plain', 'return [1]'),
      node('puts', 'x.append((2, {"9": 3, "1": 4})); return "put"', { x: 'plain.output' }),
      node('told', 'return f"{x}"', { x: 'plain.output', after: 'puts.output' }),
    ],
    "[1, (2, {'9': 3, '1': 4})]",
  ],
  [
    'lists that are alike and not one',
    [
      node('alike', 'return {"x": [], "y": []}'),
      node('like', 'return {"x": list(x["x"])}', { x: 'alike.output' }),
      node('fills', 'x.append(1); return x', { x: 'alike.output.x' }),
      node('told', 'return f"{a} {l} {f}"', { a: 'alike.output', l: 'like.output', f: 'fills.output' }),
    ],
    "{'x': [1], 'y': []} {'x': []} [1]",
  ],
];

test.for(flows)('%s is one, wherever its row goes on from its records', async ([, nodes, told]) => {
  const folder = mkdtempSync(join(root, 'flow-'));
  for (const { name, code } of nodes) writeFileSync(join(folder, `${name}.py`), code);
  const text = `outputs: {told: {type: string, reference: "\${told.output}"}}\nnodes:\n${nodes.map(({ yaml }) => yaml).join('')}`;
  const open = () => openWrittenFlow(text, folder);
  await using whole = await open();
  const { row, nodes: records } = await whole.runRow({});
  expect([row.error, row.outputs]).toEqual([undefined, { told }]);
  for (let ended = 1; ended < records.length; ended += 1) {
    await using again = await open();
    const finished = new Map(
      records
        .slice(0, ended)
        .filter(({ inexact }) => inexact === undefined)
        .map((record) => [
          record.node,
          parseJson(stringifyJson(record as unknown as JsonValue)) as unknown as typeof record,
        ]),
    );
    expect([ended, (await again.runRow({}, { finished })).row.outputs]).toEqual([ended, { told }]);
  }
});
