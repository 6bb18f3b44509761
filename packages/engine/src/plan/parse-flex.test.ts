// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import type { EntrySignature } from '../node/signature.ts';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import { undefinedFields } from '../testing/undefined-fields.ts';
import { parseFlex } from './parse-flex.ts';

const plain: EntrySignature = {
  path: 'main.py',
  found: true,
  names: ['run', 'Chat'],
  isClass: false,
  init: [],
  aggregates: false,
  inputs: [
    { name: 'q', required: true, type: 'string' },
    { name: 'n', required: false, default: 3 },
  ],
};

const sampleFiles: Readonly<Record<string, SourceFile>> = Object.fromEntries(
  Object.entries({
    'init.json': '{"model": "x"}',
    './inputs.json': '{"q": "hello"}',
    'sample.json': '{"inputs": {"q": "hello"}, "init": {"model": "x"}}',
  }).map(([path, text]) => [path, { path, text }]),
);

function parse(text: string, signature: Partial<EntrySignature> | undefined = {}) {
  const readEntry = (): EntrySignature | undefined => ({ ...plain, ...signature });
  const files = { read: (path: string) => sampleFiles[path], resolve: (path: string) => path };
  return parseFlex({ path: 'flow.flex.yaml', text }, { readEntry, files });
}

function told(text: string, signature?: Partial<EntrySignature>): string {
  return formatDiagnostics(parse(text, signature).diagnostics).replace(/\n\d+ (error|warning)s?\n?$/, '');
}

test('a function is a flow of one node, with the inputs of its signature', () => {
  const { spec, diagnostics } = parse('entry: main:run\n');
  expect(diagnostics).toEqual([]);
  const { file: _, locate: __, ...data } = spec ?? {};
  expect(data).toStrictEqual({
    ...{
      isStandard: true,
      valuesOpenRoles: false,
      messageFormat: 'basic',
      answersBy: 'run',
      loops: [],
      nodeVariants: {},
    },
    environmentVariables: {},
    additionalIncludes: [],
    otherKeys: {},
    inputs: [
      { name: 'q', type: 'string', isAnnotated: true, hasOwnDefault: false, isChatInput: false },
      { name: 'n', type: 'object', default: 3, isAnnotated: true, hasOwnDefault: true, isChatInput: false },
    ],
    outputs: [
      { name: 'output', type: 'object', reference: '${run.output}', evaluationOnly: false, isChatOutput: false },
    ],
    nodes: [
      {
        ...{
          type: 'flex',
          name: 'run',
          source: { type: 'code', path: 'main.py' },
          useVariants: false,
          aggregation: false,
        },
        settings: { entry: 'main:run', init: {}, sampleInit: {}, isClass: false },
        inputs: { q: '${inputs.q}', n: '${inputs.n}' },
        path: ['nodes', 0],
      },
    ],
  });
  expect(undefinedFields(data)).toEqual([]);
});

test('a class that makes metrics has a second node, which reads the first', () => {
  const { spec } = parse('entry: pack.main:Chat\n', { isClass: true, aggregates: true });
  expect(spec?.nodes.map(({ name, inputs, aggregation, path }) => ({ name, inputs, aggregation, path }))).toEqual([
    { name: 'Chat', inputs: { q: '${inputs.q}', n: '${inputs.n}' }, aggregation: false, path: ['nodes', 0] },
    { name: 'Chat_aggregate', inputs: { line_results: '${Chat.output}' }, aggregation: true, path: ['nodes', 1] },
  ]);
  expect(spec?.nodes[1]).toMatchObject({ type: 'flex', source: { path: 'main.py' }, settings: { isClass: true } });
});

test('what the file declares of inputs wins over the signature; an empty default leaves it to the code', () => {
  const text = `entry: main:run
inputs:
  n: {type: int, default: 5, is_chat_input: true, is_chat_history: false}
  q: {default: ""}
  other: {}
`;
  expect(parse(text).spec?.inputs).toStrictEqual([
    { name: 'n', type: 'int', default: 5, hasOwnDefault: true, isChatInput: true, isChatHistory: false },
    { name: 'q', type: 'string', isAnnotated: true, hasOwnDefault: false, isChatInput: false },
    { name: 'other', type: 'object', isChatInput: false },
  ]);
  expect(parse('entry: main:run\ninputs: {q: 3}\n').spec?.inputs[0]).toStrictEqual({
    name: 'q',
    type: 'string',
    hasOwnDefault: false,
    isChatInput: false,
  });
});

test.for<[what: string, text: string, outputs: readonly string[], declared?: readonly string[]]>([
  ['those of the file', 'entry: main:run\noutputs: {a: {}, b: {}}\n', ['a', 'b'], ['c']],
  ['those of what it returns', 'entry: main:run\n', ['c', 'd'], ['c', 'd']],
  ['one', 'entry: main:run\noutputs: null\n', ['output']],
])('outputs: %s', ([, text, outputs, declared]) => {
  const names = parse(text, declared === undefined ? {} : { outputs: declared }).spec?.outputs.map(({ name }) => name);
  expect(names).toEqual(outputs);
});

test.for(['sample: {inputs: "${file:./inputs.json}", init: "${file:init.json}"}', 'sample: ${file:sample.json}'])(
  'a sample may stand in files: %s',
  (sample) => {
    const { spec, diagnostics } = parse(`entry: main:run\n${sample}\n`);
    expect({ diagnostics, sample: spec?.sample, init: spec?.nodes[0]?.settings['sampleInit'] }).toEqual({
      diagnostics: [],
      sample: { q: 'hello' },
      init: { model: 'x' },
    });
  },
);

test('name, variables, sample and arguments of the class', () => {
  const text = `entry: main:Chat
name: mine
environment_variables: {A: 1}
init: {model: {type: string, default: gpt}, none: {type: int}, empty: "", plain: 3, list: [1], nothing: null}
sample: {inputs: {q: hello}, init: {model: x}}
`;
  const { spec } = parse(text, { isClass: true });
  expect([spec?.name, spec?.environmentVariables, spec?.sample]).toEqual(['mine', { A: 1 }, { q: 'hello' }]);
  expect(spec?.nodes[0]?.settings).toEqual({
    entry: 'main:Chat',
    isClass: true,
    sampleInit: { model: 'x' },
    init: { model: 'gpt', plain: 3, list: [1] },
  });
  expect(parse('entry: main:run\nsample: {q: hello}\n').spec?.sample).toEqual({ q: 'hello' });
  expect(parse('entry: main:run\nname: 3\nenvironment_variables: []\n').spec).toMatchObject({
    environmentVariables: {},
  });
  expect(parse('entry: main:run\nname: 3\n').spec?.name).toBeUndefined();
});

test('what is told of its nodes is told of the file', () => {
  const text = 'entry: main:run\ninputs:\n  q: {type: string}\n';
  const { spec } = parse(text);
  const at = (path: readonly (string | number)[], part?: 'key'): string | undefined => {
    const span = spec?.locate(path, part);
    return span === undefined ? undefined : text.slice(span.start, span.end);
  };
  expect(at(['nodes', 0, 'inputs', 'q'], 'key')).toBe('q');
  expect(at(['nodes', 0, 'source'])).toBe('main:run');
  expect(at(['inputs', 'q', 'type'])).toBe('string');
});

test.for<[what: string, text: string, signature: Partial<EntrySignature>, expected: string]>([
  [
    'types that there are not',
    'entry: main:run\ninputs: {q: {type: strng}, n: 3}\noutputs: {a: {type: intt}}\ninit: {c: {type: OpenAIConnection}, d: {type: boole}}\n',
    {},
    `flow.flex.yaml:2:20 error FLOW_INPUT_TYPE inputs.q has the unknown type "strng"
    inputs: {q: {type: strng}, n: 3}
                       ~~~~~
    help: did you mean "string"?
flow.flex.yaml:3:21 error FLOW_INPUT_TYPE outputs.a has the unknown type "intt"
    outputs: {a: {type: intt}}
                        ~~~~
    help: did you mean "int"?
flow.flex.yaml:4:47 error FLOW_INPUT_TYPE init.d has the unknown type "boole"
    init: {c: {type: OpenAIConnection}, d: {type: boole}}
                                                  ~~~~~
    help: did you mean "bool"?`,
  ],
  [
    'sections that are no mapping',
    'entry: main:run\ninputs: [q]\noutputs: none\n',
    {},
    `flow.flex.yaml:2:9 error FLOW_WRONG_VALUE inputs must be a mapping of names, not a list
    inputs: [q]
            ~~~
    help: for instance inputs: {question: {type: string}}
flow.flex.yaml:3:10 error FLOW_WRONG_VALUE outputs must be a mapping of names, not "none"
    outputs: none
             ~~~~
    help: for instance outputs: {answer: {type: string}}`,
  ],
  [
    'a key that is misspelt',
    'entry: main:run\ninputz: {}\n',
    {},
    `flow.flex.yaml:2:1 warning FLOW_UNKNOWN_KEY unknown key "inputz"
    inputz: {}
    ~~~~~~
    help: did you mean "inputs"?`,
  ],
  [
    'keys that a flow of code does not have',
    'entry: main:run\ntype: standard\nfoo: bar\nnodes: []\n',
    {},
    `flow.flex.yaml:3:1 warning FLOW_UNKNOWN_KEY unknown key "foo"
    foo: bar
    ~~~
flow.flex.yaml:4:1 warning FLOW_UNKNOWN_KEY unknown key "nodes"
    nodes: []
    ~~~~~`,
  ],
  [
    'an entry as other tools write it',
    'entry: chat.answer\n',
    {},
    `flow.flex.yaml:1:8 error FLEX_ENTRY entry must be module:function or module:Class, not "chat.answer"
    entry: chat.answer
           ~~~~~~~~~~~
    help: did you mean "chat:answer"?`,
  ],
  [
    'a file',
    'entry: chat.py\n',
    {},
    `flow.flex.yaml:1:8 error FLEX_ENTRY entry must be module:function or module:Class, not "chat.py"
    entry: chat.py
           ~~~~~~~
    help: for instance entry: chat:answer`,
  ],
  [
    'a method',
    'entry: main:Chat.answer\n',
    {},
    `flow.flex.yaml:1:8 error FLEX_ENTRY an entry is a function or a class of the module itself, not "Chat.answer"
    entry: main:Chat.answer
           ~~~~~~~~~~~~~~~~
    help: write a function of the module that calls Chat.answer, and name that; of a class, __call__ is called`,
  ],
  [
    'a number',
    'entry: 12\n',
    {},
    `flow.flex.yaml:1:8 error FLEX_ENTRY entry must be module:function or module:Class, not 12
    entry: 12
           ~~
    help: for instance entry: chat:answer`,
  ],
  [
    'no entry',
    'inputs: {}\n',
    {},
    `flow.flex.yaml:1:1 error FLEX_ENTRY entry must be module:function or module:Class
    inputs: {}
    ~~~~~~~~~~
    help: for instance entry: chat:answer`,
  ],
  [
    'a name that is nearly there',
    'entry: main:runn\n',
    { found: false },
    `flow.flex.yaml:1:8 error FLEX_ENTRY main.py has no function or class "runn"
    entry: main:runn
           ~~~~~~~~~
    help: did you mean "run"?`,
  ],
  [
    'a name that is not there',
    'entry: main:zzz\n',
    { found: false },
    `flow.flex.yaml:1:8 error FLEX_ENTRY main.py has no function or class "zzz"
    entry: main:zzz
           ~~~~~~~~
    help: it has run, Chat`,
  ],
  [
    'a file that defines nothing',
    'entry: main:zzz\n',
    { found: false, names: [] },
    `flow.flex.yaml:1:8 error FLEX_ENTRY main.py has no function or class "zzz"
    entry: main:zzz
           ~~~~~~~~
    help: it defines nothing`,
  ],
  [
    'a class that cannot be called',
    'entry: main:Chat\n',
    { isCallable: false },
    `flow.flex.yaml:1:8 error FLEX_ENTRY the class "Chat" cannot be called: it has no __call__
    entry: main:Chat
           ~~~~~~~~~
    help: a row is given to def __call__(self, …) of the class`,
  ],
])('%s', ([, text, signature, expected]) => {
  expect(told(text, signature)).toBe(expected);
});

test.for<[entry: string, help: string]>([
  ['pack.chat:answer', 'a file pack/chat.py in the folder of the flow'],
  ['chat.py:answer', 'a module is named without .py: chat:answer'],
])('there is no module: %s', ([entry, help]) => {
  const file = { path: 'flow.flex.yaml', text: `entry: ${entry}\n` };
  const files = { read: () => undefined, resolve: (path: string) => path };
  const { spec, diagnostics } = parseFlex(file, { readEntry: () => undefined, files });
  expect(spec).toBeUndefined();
  const [module] = entry.split(':');
  expect(diagnostics).toMatchObject([
    {
      severity: 'error',
      code: 'FLEX_ENTRY',
      message: `there is no module ${module}`,
      help,
    },
  ]);
  expect(diagnostics.map(promptFlowError)).toEqual([
    {
      code: 'PythonLoadError',
      message: `Failed to load python module for flow.flex.yaml: (ModuleNotFoundError) No module named '${module}'`,
    },
  ]);
});

test.for<[text: string, signature: Partial<EntrySignature>, code: string, message: string]>([
  [
    'entry: "x y"',
    {},
    'InvalidFlexFlowEntry',
    "Invalid entry 'x y'.The entry should be in the format of '<module>:<function>'.",
  ],
  [
    'entry: [1]',
    {},
    'InvalidFlexFlowEntry',
    "Invalid entry ''.The entry should be in the format of '<module>:<function>'.",
  ],
  [
    'entry: main:zzz',
    { found: false },
    'PythonLoadError',
    "Failed to load python function 'zzz' from file 'main', got None.",
  ],
  [
    'entry: main:Chat.answer',
    {},
    'PythonLoadError',
    "Failed to load python function 'Chat.answer' from file 'main', got None.",
  ],
  [
    'entry: main:Chat',
    { isCallable: false },
    'PythonLoadError',
    "Python class entry 'Chat' does not have __call__ method.",
  ],
])('what Prompt flow says of %s', ([text, signature, code, message]) => {
  const found = parse(text, signature).diagnostics.at(-1);
  expect(found && promptFlowError(found)).toEqual({ code, message });
});

test('a text that is no YAML is told', () => {
  const { spec, diagnostics } = parse('entry: [');
  expect(spec).toBeUndefined();
  expect(diagnostics.map(({ severity }) => severity)).toContain('error');
  expect(parse('- 1\n').diagnostics.map(({ code }) => code)).toEqual(['FLEX_ENTRY']);
});
