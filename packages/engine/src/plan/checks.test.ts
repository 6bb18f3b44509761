// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles } from '../node/node-type.ts';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import type { JsonValue } from '../value/json.ts';
import { checkConditions } from './check-conditions.ts';
import { checkConnectionInputs } from './check-connection-inputs.ts';
import { checkFallbacks } from './check-fallbacks.ts';
import { checkFiles, nearestFile } from './check-files.ts';
import { checkFunctions } from './check-functions.ts';
import { checkProperties } from './check-properties.ts';
import { checkReachability } from './check-reachability.ts';
import { checkRequiredParameters } from './check-required-parameters.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkTemplateInputs } from './check-template-inputs.ts';
import { checkTypes } from './check-types.ts';
import { brief, type Known, oneNode, read } from './checked-flow.fixture.ts';
import type { CheckedNode } from './checked-node.ts';

const template = { path: 'ask.jinja2', text: '{{qestion}} {{history}}' };

const variable = (name: string, required = true) => {
  const start = template.text.indexOf(name);
  return start === -1
    ? { name, required }
    : { name, required, span: { file: template, start, end: start + name.length } };
};

test('a variable that no input gives stands in the template; an input meant for it is told there, and not again', () => {
  const known: Known = {
    ask: { fillsTemplate: true, parameters: [variable('qestion'), variable('history', false)] },
  };
  const { spec, nodes } = read(oneNode('{question: 1, tone: 2}'), known);
  expect(
    formatDiagnostics(checkTemplateInputs(spec, nodes)),
  ).toBe(`ask.jinja2:1:3 warning TEMPLATE_VARIABLE_MISSING no input of node "ask" gives the variable "qestion"
    {{qestion}} {{history}}
      ~~~~~~~
    help: did you mean "question"?
    f.yaml:4:12 note: the input "question" is here, and the template does not use it
f.yaml:4:25 warning TEMPLATE_INPUT_UNUSED the template of node "ask" does not use the input "tone"
      inputs: {question: 1, tone: 2}
                            ~~~~
2 warnings`);
});

test('a variable without which no rendering succeeds is an error, and the run goes on to the node', () => {
  const known: Known = {
    ask: { fillsTemplate: true, parameters: [{ ...variable('history', false), isNeeded: true }] },
  };
  const { spec, nodes } = read(oneNode('{}'), known);
  expect(checkTemplateInputs(spec, nodes)).toMatchObject([
    {
      severity: 'error',
      allowsRun: true,
      message: 'no input of node "ask" gives the variable "history", without which it cannot be rendered',
    },
  ]);
});

test.for([true, false])('an image that a template prints as a text (%s) is told', (printsImages) => {
  const shown = printsImages ? { printsImages: { help: 'show it' } } : {};
  const known: Known = { ask: { fillsTemplate: true, ...shown, parameters: [{ name: 'photo', required: true }] } };
  const flow = `inputs: {photo: {type: image}}\n${oneNode('{photo: "${inputs.photo}"}')}`;
  const { spec, nodes } = read(flow, known);
  const told = 'the template of node "ask" prints the image "photo" as a text, and no model sees it';
  expect(checkTemplateInputs(spec, nodes).map(({ message, help }) => [message, help])).toEqual(
    printsImages ? [[told, 'show it']] : [],
  );
});

test.for<{ inputs: string; parameters: NodeInspection['parameters']; any?: boolean; told: readonly string[] }>([
  { inputs: '{a: 1}', parameters: [{ name: 'a', required: true }], told: [] },
  { inputs: '{}', parameters: [{ name: 'a', required: false }], told: [] },
  {
    inputs: '{}',
    parameters: [{ name: 'a', required: true }],
    told: ['NODE_INPUT_MISSING node "ask" does not give "a", which its code requires'],
  },
  {
    inputs: '{a: "", b: null}',
    parameters: [
      { name: 'a', required: true },
      { name: 'b', required: true },
    ],
    told: [
      'NODE_INPUT_MISSING node "ask" does not give "a", which its code requires',
      'NODE_INPUT_MISSING node "ask" does not give "b", which its code requires',
    ],
  },
  {
    inputs: '{qurey: x}',
    parameters: [{ name: 'query', required: true }],
    told: ['NODE_INPUT_UNKNOWN the code of node "ask" takes no input "qurey"'],
  },
  { inputs: '{other: x}', parameters: [], any: true, told: [] },
  { inputs: '{other: x}', parameters: undefined, told: [] },
])('inputs $inputs of code: $told', ({ inputs, parameters, any = false, told }) => {
  const known: Known = { ask: { takesAnyInput: any, ...(parameters === undefined ? {} : { parameters }) } };
  expect(brief(checkRequiredParameters(read(oneNode(inputs, 'python'), known).nodes))).toEqual(told);
});

test('an argument that is an empty text is told where it is written, with what becomes of it', () => {
  const known: Known = { ask: { parameters: [{ name: 'to', required: true }] } };
  expect(formatDiagnostics(checkRequiredParameters(read(oneNode('{to: ""}', 'python'), known).nodes))).toBe(
    `f.yaml:4:16 error NODE_INPUT_MISSING node "ask" does not give "to", which its code requires
      inputs: {to: ""}
                   ~~
    help: an empty text or null is not handed to the code: give "to" a value, or give the parameter a default
1 error`,
  );
});

test.for([
  [{}, '{other: x}', ['error NODE_INPUT_MISSING', 'error NODE_INPUT_UNKNOWN']],
  [{ toleratedInputs: 'unknown' }, '{other: x}', ['error NODE_INPUT_MISSING', 'warning NODE_INPUT_UNKNOWN']],
  [
    { toleratedInputs: 'unknown or missing' },
    '{other: x}',
    ['warning NODE_INPUT_MISSING', 'warning NODE_INPUT_UNKNOWN'],
  ],
  [{ toleratedInputs: 'unknown or missing' }, '{a: ""}', ['warning NODE_INPUT_MISSING']],
  [{ toleratedInputs: 'unknown' }, '{a: ""}', ['error NODE_INPUT_MISSING']],
  [{ takesEmptyText: true }, '{a: ""}', []],
] as const)('of a node with %j the inputs %s are told as %j', ([tolerance, inputs, told]) => {
  const known: Known = { ask: { parameters: [{ name: 'a', required: true }], ...tolerance } };
  const found = checkRequiredParameters(read(oneNode(inputs, 'python'), known).nodes);
  expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(told);
});

test('a misspelt argument is one mistake, with what was meant', () => {
  const known: Known = { ask: { parameters: [{ name: 'query', required: true }] } };
  const [only, ...more] = checkRequiredParameters(read(oneNode('{qurey: x}', 'python'), known).nodes);
  expect([only?.help, more]).toEqual(['did you mean "query"?', []]);
});

test('files: missing with the nearest, outside the folder, and there', () => {
  const existing = { 'prompts/ask.jinja2': 'x' };
  const files: FlowFiles = {
    folder: '/flow',
    resolve: (path) => (path.startsWith('..') ? undefined : `/flow/${path}`),
    read: (path) => (path in existing ? { path, text: 'x' } : undefined),
    list: () => Object.keys(existing),
  };
  const node = (name: string, path: string) => `- {name: ${name}, type: prompt, source: {type: code, path: ${path}}}\n`;
  const text = `nodes:\n${node('a', 'ask.jinja2')}${node('b', '../x.py')}${node('c', 'prompts/ask.jinja2')}`;
  expect(
    formatDiagnostics(checkFiles(read(text).nodes, files)),
  ).toBe(`f.yaml:2:54 error FILE_MISSING there is no file "ask.jinja2" for node "a"
    - {name: a, type: prompt, source: {type: code, path: ask.jinja2}}
                                                         ~~~~~~~~~~
    help: did you mean "prompts/ask.jinja2"?
f.yaml:3:54 error FILE_OUTSIDE "../x.py" leads out of the folder of the flow
    - {name: b, type: prompt, source: {type: code, path: ../x.py}}
                                                         ~~~~~~~
    help: move the file into the folder, or list it under "additional_includes"
2 errors`);
});

test.for([
  ['ask.jinja2', 'deep/ask.jinja2'],
  ['prompts/rnak.jinja2', 'prompts/rank.jinja2'],
  ['serch.py', 'code/search.py'],
  ['nothing.md', undefined],
  // Listed, and asked for because it cannot be read: a pipe, a link that leads round.
  ['code/search.py', undefined],
] as const)('the existing file nearest to %s is %s', ([path, near]) => {
  expect(nearestFile(path, ['code/search.py', 'deep/ask.jinja2', 'prompts/rank.jinja2'])).toBe(near);
});

const agent = 'nodes:\n- {name: agent, type: prompt}\n- {name: call, type: python, inputs: {m: "${agent.output}"}}\n';

test.for<{ offered: readonly string[]; defined?: readonly string[]; told: readonly string[] }>([
  { offered: ['search'], defined: ['search', 'never_offered'], told: [] },
  {
    offered: ['serch'],
    defined: ['search'],
    told: ['FUNCTION_UNDEFINED node "agent" offers the function "serch", which no code that reads its answer defines'],
  },
  {
    offered: ['search'],
    defined: [],
    told: ['FUNCTION_UNDEFINED node "agent" offers the function "search", which no code that reads its answer defines'],
  },
  { offered: ['search'], told: [] },
])('offered $offered, defined $defined: $told', ({ offered, defined, told }) => {
  const known: Known = {
    agent: { offeredFunctions: offered.map((name) => ({ name })) },
    call: defined === undefined ? {} : { definedFunctions: defined },
  };
  expect(brief(checkFunctions(read(agent, known).nodes))).toEqual(told);
});

test('code that does not read the agent defines nothing for it', () => {
  const text = agent.replace('agent.output', 'other.output').replace('nodes:', 'nodes:\n- {name: other, type: prompt}');
  const known: Known = {
    agent: { offeredFunctions: [{ name: 'search' }] },
    call: { definedFunctions: ['lookup'] },
  };
  expect(checkFunctions(read(text, known).nodes)).toEqual([]);
});

test.for<{ value: string; type: string; fits: boolean }>([
  { value: '3', type: 'int', fits: true },
  { value: '" 7 "', type: 'int', fits: true },
  { value: 'three', type: 'int', fits: false },
  { value: '1e3', type: 'double', fits: true },
  { value: 'yes', type: 'bool', fits: false },
  { value: '"[1, 2]"', type: 'list', fits: true },
  { value: '{a: 1}', type: 'list', fits: false },
  { value: 'anything', type: 'object', fits: true },
  { value: '""', type: 'int', fits: true },
  { value: '${inputs.x}', type: 'int', fits: true },
  { value: 'three', type: 'SomeClass', fits: true },
  { value: 'three', type: 'float', fits: false },
])('the literal $value for a parameter of type $type fits: $fits', ({ value, type, fits }) => {
  const known: Known = { ask: { parameters: [{ name: 'n', required: true, type }] } };
  const { spec, nodes } = read(oneNode(`{n: ${value.includes('$') ? JSON.stringify(value) : value}}`, 'python'), known);
  expect(checkTypes(spec, nodes).map(({ code }) => code)).toEqual(fits ? [] : ['NODE_INPUT_TYPE']);
});

test('a literal that cannot fit says what Prompt flow says', () => {
  const known: Known = { ask: { parameters: [{ name: 'n', required: true, type: 'int' }] } };
  const { spec, nodes } = read(oneNode('{n: [1, "2"]}', 'python'), known);
  const [found] = checkTypes(spec, nodes);
  expect(found && promptFlowError(found)).toEqual({
    code: 'ResolveToolError',
    message:
      "Tool load failed in 'ask': (NodeInputValidationError) Input 'n' for node 'ask' of value '[1, '2']' is not type int.",
    node: 'ask',
  });
});

test.for([
  ['x'.repeat(38), `"${'x'.repeat(38)}"`],
  ['x'.repeat(39), `"${'x'.repeat(38)}…`],
] as const)('a literal that does not fit is shown with at most 40 signs: %s', ([value, shown]) => {
  const known: Known = { ask: { parameters: [{ name: 'n', required: true, type: 'int' }] } };
  const { spec, nodes } = read(oneNode(`{n: ${value}}`, 'python'), known);
  const [found] = checkTypes(spec, nodes);
  expect(`${found?.message} ${found?.help}`).toContain(`${shown} `);
});

test('a default that does not fit the type of its input', () => {
  const { spec, nodes } = read('inputs:\n  n: {type: int, default: many}\n  m: {type: int, default: "4"}\n');
  expect(
    formatDiagnostics(checkTypes(spec, nodes)),
  ).toBe(`f.yaml:2:27 warning INPUT_DEFAULT_TYPE the default of input "n" does not fit its type int
      n: {type: int, default: many}
                              ~~~~
    help: rows that do not give it fail: write a whole number
1 warning`);
});

const conditions: readonly { when: string; is: string; message?: string; help?: string }[] = [
  { when: '${inputs.flag}', is: 'true' },
  { when: '${inputs.flag}', is: '0' },
  {
    when: '${inputs.flag}',
    is: '"true"',
    message: 'node "ask" never runs: the input "flag" is a bool, which never equals "true"',
    help: 'write true without quotes',
  },
  {
    when: '${inputs.count}',
    is: '1.5',
    message: 'node "ask" never runs: the input "count" is an int, which never equals 1.5',
  },
  {
    when: '${inputs.count}',
    is: '"3"',
    message: 'node "ask" never runs: the input "count" is an int, which never equals "3"',
    help: 'write 3 without quotes',
  },
  {
    when: '${text.output}',
    is: 'false',
    message: 'node "ask" never runs: the output of node "text" is a string, which never equals false',
  },
  { when: '${text.output.a}', is: 'false' },
  {
    when: 'always',
    is: 'never',
    message: 'node "ask" never runs: "when" is always "always", which never equals "never"',
  },
  { when: '1', is: 'true' },
];

test.for(conditions)('activate when $when is $is: $message', ({ when, is, message, help }) => {
  const text = `inputs:
  flag: {type: bool}
  count: {type: int}
nodes:
- {name: text, type: prompt}
- name: ask
  type: prompt
  activate: {when: ${when.includes('$') ? JSON.stringify(when) : when}, is: ${is}}
`;
  const { spec, nodes } = read(text, { text: { outputType: 'string' } });
  const found = checkConditions(spec, nodes);
  expect(found.map((one) => [one.message, one.help])).toEqual(message === undefined ? [] : [[message, help]]);
});

test('an aggregation node sees the values of all rows', () => {
  const text = `inputs:
  n: {type: int}
nodes:
- {name: mean, type: python, aggregation: true, activate: {when: "\${inputs.n}", is: 1}}
- {name: all, type: python, aggregation: true, activate: {when: "\${inputs.n}", is: [1, 2]}}
`;
  const { spec, nodes } = read(text);
  expect(brief(checkConditions(spec, nodes))).toEqual([
    'CONDITION_NEVER_TRUE node "mean" never runs: the input "n" is a list, which never equals 1',
  ]);
});

test('a property of a text, asked by an output, an input and a condition', () => {
  const text = `outputs:
  a: {type: string, reference: "\${text.output.a}"}
  b: {type: string, reference: "\${free.output.a}"}
nodes:
- {name: text, type: prompt}
- {name: free, type: python, inputs: {x: "\${text.output.b.c}"}, activate: {when: "\${text.output[0]}", is: 1}}
`;
  const { spec, nodes } = read(text, { text: { outputType: 'string' } });
  expect(brief(checkProperties(spec, nodes))).toEqual([
    'PROPERTY_IMPOSSIBLE node "text" gives a string, which has no property "b.c"',
    'PROPERTY_IMPOSSIBLE node "text" gives a string, which has no property "a"',
  ]);
});

test('a property that is read otherwise than it is written', () => {
  const text = `outputs:
  a: {type: string, reference: '\${free.output.m["a b"]}'}
  b: {type: string, reference: '\${free.output["m"]["k"]}'}
  c: {type: string, reference: '\${free.output.a.}'}
  d: {type: string, reference: '\${free.output.a..b}'}
  e: {type: string, reference: '\${free.output.a.[0].b}'}
nodes:
- {name: free, type: python}
- {name: reader, type: python, inputs: {x: "\${free.output.a-b}", y: "\${free.output['a b'][0]}"}}
`;
  const { spec, nodes } = read(text);
  expect(brief(checkProperties(spec, nodes))).toEqual([
    'PROPERTY_READ_OTHERWISE the property `a-b` is read as `a.b`',
    'PROPERTY_READ_OTHERWISE the property `m["a b"]` is read as `m.a.b`',
    'PROPERTY_READ_OTHERWISE the property `a.` is read as `a`',
    'PROPERTY_READ_OTHERWISE the property `a..b` is read as `a.b`',
  ]);
});

/** `a < b c` is a node that reads b and c; a trailing `!` has side effects, `?` a condition that never holds. */
function graphOf(
  notation: string,
  outputs: string,
  inputs = '',
): { spec: ReturnType<typeof read>['spec']; nodes: readonly CheckedNode[] } {
  const nodes = notation.split(', ').map((text) => {
    const [head = '', ...read] = text.split(/ < | /);
    const name = head.replace(/[!?]/g, '');
    const condition = head.endsWith('?') ? { activate: { when: 1, is: 2 } } : {};
    const from: JsonValue = Object.fromEntries(read.map((one, index) => [`x${index}`, `\${${one}}`]));
    return { name, type: head.endsWith('!') ? 'python' : 'prompt', inputs: from, ...condition };
  });
  const named = (names: string) => names.split(' ').filter((name) => name !== '');
  const flow = {
    inputs: Object.fromEntries(named(inputs).map((name) => [name, { type: 'string' }])),
    outputs: Object.fromEntries(named(outputs).map((name) => [name, { type: 'string', reference: `\${${name}}` }])),
    nodes,
  };
  return read(JSON.stringify(flow));
}

test.for<{ flow: string; outputs: string; inputs?: string; told: readonly string[] }>([
  { flow: 'a, b < a', outputs: 'b.output', told: [] },
  { flow: 'a, b < a', outputs: 'a.output', told: ['NODE_UNREAD nothing reads node "b"'] },
  { flow: 'a, b < a, c < b', outputs: 'a.output', told: ['NODE_UNREAD nothing reads node "c"'] },
  { flow: 'a, b! < a', outputs: 'a.output', told: [] },
  { flow: 'a, save! < b, b', outputs: 'a.output', told: [] },
  { flow: 'answer', outputs: 'anwser.output', told: [] },
  { flow: 'answer, b < anwser', outputs: 'b.output', told: [] },
  { flow: 'a', outputs: '', told: ['FLOW_NO_OUTPUT the flow has no outputs: its result is always empty'] },
  {
    flow: 'a?, b < a, c < b, d < a e, e',
    outputs: 'c.output d.output',
    told: [
      'NODE_NEVER_RUNS node "b" never runs: it reads only nodes that never run',
      'NODE_NEVER_RUNS node "c" never runs: it reads only nodes that never run',
    ],
  },
  { flow: 'a < inputs.q', outputs: 'a.output', inputs: 'q', told: [] },
  {
    flow: 'a < inputs.q',
    outputs: 'a.output',
    inputs: 'q rest',
    told: ['FLOW_INPUT_UNUSED nothing uses the input "rest" of the flow'],
  },
  { flow: 'a < inputs.qestion', outputs: 'a.output', inputs: 'question', told: [] },
  { flow: 'a < inputs.d.a', outputs: 'a.output', inputs: 'd', told: [] },
])('in "$flow" with the outputs "$outputs": $told', ({ flow, outputs, inputs, told }) => {
  const { spec, nodes } = graphOf(flow, outputs, inputs);
  expect(brief(checkReachability(spec, nodes))).toEqual(told);
});

test.for([
  [
    '{q: x}',
    'offline',
    ['NODE_INPUT_MISSING node "ask" does not give "deployment_name", which connection "offline" requires'],
  ],
  [
    "{q: x, deployment_name: '', model: }",
    'offline',
    ['NODE_INPUT_MISSING node "ask" does not give "deployment_name", which connection "offline" requires'],
  ],
  ["{q: x, deployment_name: '', model: m}", 'offline', []],
  ['{q: x, model: m}', 'offline', []],
  ['{q: x, deployment_name: m}', 'offline', []],
  ['{q: x}', 'local', []],
] as const)('inputs %s on connection %s: %j', ([inputs, name, told]) => {
  const text = `nodes:\n- {name: ask, type: prompt, connection: ${name}, inputs: ${inputs}}\n`;
  const { nodes } = read(text, { ask: { requiredByConnection: { offline: ['deployment_name', 'model'] } } });
  const connections = {
    find: (known: string) => ({
      name: known,
      type: known === 'local' ? 'open_ai' : 'offline',
      configs: {},
      secrets: {},
    }),
    names: () => ['offline', 'local'],
  };
  expect(brief(checkConnectionInputs(nodes, connections))).toEqual(told);
});

test('other connections of a node that asks only its own', () => {
  const text = `nodes:
- {name: ask, type: prompt, connection: a, retry: {fallback: [b]}}
- {name: find, type: python, retry: {times: 2, fallback: [b]}}
- {name: again, type: python, retry: {times: 2}}
`;
  const { nodes } = read(text, { ask: { takesFallback: true } });
  expect(brief(checkFallbacks(nodes))).toEqual([
    'FLOW_UNKNOWN_KEY retry.fallback means nothing in node "find" of type python: no other connection is asked',
  ]);
});

test.for<readonly [string, readonly string[], string | undefined]>([
  ['requirements.txt', ['requirements.txt'], undefined],
  ['./requirements.txt', ['./requirements.txt'], undefined],
  ['requirments.txt', ['requirements.txt'], 'there is no file "requirments.txt", which python_requirements_txt names'],
  [
    'deps/all.txt',
    ['deps/all.txt'],
    'flow python setup installs requirements.txt of the flow\'s folder, not "deps/all.txt"',
  ],
])('python_requirements_txt: %s beside %j', ([path, there, message]) => {
  const text = `environment: {python_requirements_txt: ${path}}\nnodes: []\n`;
  const { spec } = parseFlow({ path: 'f.yaml', text }, { nodeTypes: [] });
  if (spec === undefined) throw new Error('bug: no flow');
  const files = {
    read: (name: string) => (there.includes(name) ? { path: name, text: '' } : undefined),
    list: () => there,
  } as unknown as FlowFiles;
  expect(checkRequirements(spec, files).map((told) => told.message)).toEqual(message === undefined ? [] : [message]);
});
