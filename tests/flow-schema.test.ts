import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  checkFlow,
  type Diagnostic,
  flowFilesOf,
  flowJsonSchema,
  type JsonValue,
  parseYaml,
  readSourceFile,
  stringifyJson,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const types = nodeTypes({ extensions: [promptFlow()] });
const schema = flowJsonSchema([...types.values()]);
const holds = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

/** `vitest -u` writes the file again. */
test('schema/flow.schema.json is what editors hold flows to', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../schema/flow.schema.json');
});

test('every key has a text for editors', () => {
  const { $schema: _draft, ...described } = schema as Schema;
  expect(propertiesIn(described).length).toBeGreaterThan(50);
  expect(propertiesIn(described).filter(isUndescribed)).toEqual([]);
});

interface Schema {
  readonly description?: string;
  readonly [key: string]: unknown;
}

/** A condition names a key that is described where it is defined. */
function isUndescribed(property: Schema): boolean {
  return property.description === undefined && property['const'] === undefined;
}

/** Schemas of all keys, at any depth. */
function propertiesIn(part: unknown): readonly Schema[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties = {} } = part as { properties?: Readonly<Record<string, Schema>> };
  return [...Object.values(properties), ...Object.values(part).flatMap(propertiesIn)];
}

/** What `flow check` says of the shape alone. */
const ofShape = [
  'FLOW_YAML',
  'FLOW_DUPLICATE_KEY',
  'FLOW_UNKNOWN_KEY',
  'FLOW_MISSING_KEY',
  'FLOW_WRONG_VALUE',
  'FLOW_INPUT_TYPE',
  'FLOW_UNKNOWN_NODE_TYPE',
  'FLOW_NODE_TYPE_NOT_YET',
  'FLOW_LOOP_UNBOUNDED',
  'FLOW_LOOP_EMPTY',
  'NODE_INPUT_TYPE',
  'NODE_INPUT_MISSING',
];

function checked(path: string): readonly Diagnostic[] {
  const file = `${root}${path}`;
  const { files } = flowFilesOf({ file, folder: dirname(file) }, root);
  const connections = { find: () => undefined, names: () => [] };
  return checkFlow(readSourceFile(file, root), { nodeTypes: types, files, connections }).diagnostics;
}

const flows = globSync('{flows,packages/cli/templates,cases,tests}/**/*.dag.yaml', { cwd: root }).filter(
  (path) => !/node_modules|\/\.flow\//.test(path),
);

const right = flows.filter((path) => !checked(path).some(({ code }) => ofShape.includes(code)));

test('most flows have no mistake of shape', () => {
  expect(right.length).toBeGreaterThan(60);
});

test.for(right)('%s is right for editors as it is for flow check', (path) => {
  const isRight = holds(readValue(readFileSync(`${root}${path}`, 'utf8')));
  expect({ isRight, errors: holds.errors }).toEqual({ isRight: true, errors: null });
});

function readValue(text: string): unknown {
  const value: JsonValue = parseYaml({ path: 'flow.dag.yaml', text }).value ?? {};
  return JSON.parse(stringifyJson(value));
}

const plain = `inputs: {q: {type: string}}
outputs: {o: {type: string, reference: a}}
nodes:
- {name: ask, type: llm, api: chat, connection: c, source: {type: code, path: a.jinja2}, inputs: {model: m, temperature: 0.5}}
- {name: find, type: lookup, index: x.jsonl, inputs: {query: q}}
loops:
- {name: l, times: 2, state: s, nodes: [{name: step, type: python, source: {type: code, path: a.py}, inputs: {}}]}
`;

test('a flow without a mistake', () => {
  expect(holds(readValue(plain))).toBe(true);
});

test.for([
  ['a misspelt key of a node', 'inputs: {query', 'inptus: {query'],
  ['a misspelt key of a flow', 'outputs: {o', 'outpts: {o'],
  ['a type that there is not', 'type: llm', 'type: lllm'],
  ['an API that there is not', 'api: chat', 'api: chatt'],
  ['an API left empty', 'api: chat', 'api: null'],
  ['no API', 'api: chat, ', ''],
  ['a text for a number', 'temperature: 0.5', 'temperature: hot'],
  ['no connection', 'connection: c, ', ''],
  ['no model', 'model: m, ', ''],
  ['no inputs at all', ', inputs: {model: m, temperature: 0.5}', ''],
  ['a key of another type', 'type: lookup, index', 'type: lookup, messages_from: x, index'],
  ['no type', 'type: lookup, ', ''],
  ['no name', 'name: find, ', ''],
  ['a node of a loop', 'name: step, type: python', 'name: step, type: pyhton'],
  ['a loop without a bound', 'times: 2, ', ''],
  ['a type of an input', 'type: string}}\nout', 'type: str}}\nout'],
] as const)('%s is told by editors', ([, part, instead]) => {
  expect(plain).toContain(part);
  expect(holds(readValue(plain.replace(part, instead)))).toBe(false);
});

test.for([
  ['a reference for a number', 'temperature: 0.5', 'temperature: "${inputs.q}"'],
  ['a number as a text', 'temperature: 0.5', 'temperature: "0.7"'],
  ['nothing for a number', 'temperature: 0.5', 'temperature: null'],
  ['a deployment', 'model: m', 'deployment_name: m'],
  ['embeddings', 'api: chat', 'api: embedding'],
  [
    'a node of variants',
    '{name: find, type: lookup, index: x.jsonl, inputs: {query: q}}',
    '{name: find, use_variants: true}',
  ],
] as const)('%s is right for editors', ([, part, instead]) => {
  expect(holds(readValue(plain.replace(part, instead))), JSON.stringify(holds.errors)).toBe(true);
});
