// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { preventsRun } from '../source/diagnostic.ts';
import { placeOf } from '../source/source-file.ts';
import { Float } from '../value/float.ts';
import { parseFlow } from './parse-flow.ts';

const nodeTypes = ['llm', 'prompt', 'python'].map((name) => ({ name, keys: [] as string[] }));

function parse(text: string) {
  return parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: [...nodeTypes, { name: 'lookup', keys: ['index'] }] });
}

function told(text: string) {
  return parse(text).diagnostics.map((diagnostic) => {
    const { code, message, span, help } = diagnostic;
    const { line, column } = span === undefined ? { line: 0, column: 0 } : placeOf(span.file, span.start);
    const weight = preventsRun(diagnostic) ? '' : ` (${diagnostic.severity})`;
    return `${line}:${column} ${code}${weight} ${message}${help === undefined ? '' : ` | ${help}`}`;
  });
}

const types =
  'a type is one of int, double, bool, string, secret, prompt_template, list, object, file_path, image, assistant_definition';

test.for([
  { text: '', diagnostics: [] },
  { text: 'inputs:\noutputs: ~\nnodes:\n', diagnostics: [] },
  {
    text: '[a]',
    diagnostics: ['1:1 FLOW_WRONG_VALUE a flow is a mapping of keys such as inputs, nodes, outputs, not a list'],
  },
  {
    text: 'node: []\n$schema: x\n',
    diagnostics: ['1:1 FLOW_UNKNOWN_KEY (warning) unknown key "node" | did you mean "nodes"?'],
  },
  {
    text: 'metrics: []\n',
    diagnostics: ['1:1 FLOW_UNKNOWN_KEY unknown key "metrics" | an evaluation is scored by `flow eval FILE`'],
  },
  {
    text: 'nodes: []\nmetrics: []\n',
    diagnostics: ['2:1 FLOW_UNKNOWN_KEY (warning) unknown key "metrics" | an evaluation is scored by `flow eval FILE`'],
  },
  {
    text: 'inputs:\n  a: {type: String}\n  b: {type: CustomConnection, defalt: 1}\n  c: {}\n',
    diagnostics: [
      '2:13 FLOW_INPUT_TYPE input "a" has the unknown type "String" | did you mean "string"?',
      `3:13 FLOW_INPUT_TYPE input "b" has the unknown type "CustomConnection" | ${types}`,
      '3:31 FLOW_UNKNOWN_KEY (warning) unknown key "defalt" in input "b" | did you mean "default"?',
      `4:3 FLOW_INPUT_TYPE input "c" has no type | ${types}`,
    ],
  },
  {
    text: 'nodes:\n- {name: "a\\0", type: prompt}\n- {name: "\\ud83d", type: prompt}\n- {name: "😀 確認", type: prompt}\n',
    diagnostics: [
      '2:10 FLOW_WRONG_VALUE "name" of a node must be text that can be stored, and has the character U+0000 | take it out',
      '3:10 FLOW_WRONG_VALUE "name" of a node must be text that can be stored, and has half of a surrogate pair | take it out',
    ],
  },
  {
    text: 'inputs:\n  __proto__: {type: string}\noutputs:\n  __proto__: {type: string, reference: "${a.output}"}\nnodes:\n- name: a\n  type: prompt\n  inputs: {x: 1, __proto__: 2}\n',
    diagnostics: [
      '2:3 FLOW_WRONG_VALUE an input cannot be called "__proto__" | give it another name',
      '4:3 FLOW_WRONG_VALUE an output cannot be called "__proto__" | give it another name',
      '8:18 FLOW_WRONG_VALUE an input cannot be called "__proto__" | give it another name',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: promt}\n- {name: b, type: agent}\n- {name: c}\n- {nam: d, type: llm}\n- 5\n',
    diagnostics: [
      '5:4 FLOW_MISSING_KEY node 4 lacks the key "name" | did you mean "name" by "nam"?',
      '6:3 FLOW_WRONG_VALUE node 5 must be a mapping, not 5',
      '2:19 FLOW_UNKNOWN_NODE_TYPE node "a" has the unknown type "promt" | did you mean "prompt"?',
      '3:19 FLOW_NODE_TYPE_NOT_YET nodes of type "agent" cannot be run yet | types are llm, prompt, python, lookup',
      '4:10 FLOW_MISSING_KEY node "c" has no type | for instance `type: llm`',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: llm, source: {type: code, path: a.jinja2, connection: c, deployment: d}}\n',
    diagnostics: [
      '2:61 FLOW_UNKNOWN_KEY (warning) unknown key "connection" in "source" of node "a" | "connection" is a key of the node itself: it stands beside "source", not below it',
      '2:76 FLOW_UNKNOWN_KEY (warning) unknown key "deployment" in "source" of node "a" | there are type, path, tool',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: lookup, indx: x}\n- {name: b, type: llm, index: x}\n- {name: c, type: what, index: x}\n',
    diagnostics: [
      '2:27 FLOW_UNKNOWN_KEY (warning) unknown key "indx" in node "a" | did you mean "index"?',
      '3:24 FLOW_UNKNOWN_KEY (warning) unknown key "index" in node "b"',
      '4:19 FLOW_UNKNOWN_NODE_TYPE node "c" has the unknown type "what" | types are llm, prompt, python, lookup',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: typescript, source: {type: code, path: a.ts}}\n- {name: b, type: code, source: {type: code, path: b.py}}\n- {name: c, type: text, source: {type: code, path: c.jinja2}}\n',
    diagnostics: [
      '2:19 FLOW_UNKNOWN_NODE_TYPE node "a" has the unknown type "typescript" | code is of type python, in TypeScript and JavaScript too',
      '3:19 FLOW_UNKNOWN_NODE_TYPE node "b" has the unknown type "code" | code is of type python, in TypeScript and JavaScript too',
      '4:19 FLOW_UNKNOWN_NODE_TYPE node "c" has the unknown type "text" | a prompt that a model answers is of type llm, one that is filled in and handed on of type prompt',
    ],
  },
  {
    text: 'nodes:\n- name: a\n  type: llm\n  source: {typ: code, path: 3}\n  inputs: [1]\n  activate: {when: 1}\n  timeout: 0\n  skip: {}\n',
    diagnostics: [
      '4:29 FLOW_WRONG_VALUE "source.path" of node "a" must be a text, not 3',
      '4:12 FLOW_UNKNOWN_KEY (warning) unknown key "typ" in "source" of node "a" | did you mean "type"?',
      '5:11 FLOW_WRONG_VALUE "inputs" of node "a" must be a mapping, not a list',
      '7:12 FLOW_WRONG_VALUE "timeout" of node "a" must be above 0, not 0',
      '6:3 FLOW_ACTIVATE the condition of node "a" needs both "when" and "is" | for instance `activate: {when: "${check.output.ok}", is: true}`',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: llm, retry: {wait_seconds: 1}}\n',
    diagnostics: ['2:31 FLOW_WRONG_VALUE "retry" of node "a" must have "times" or "fallback"'],
  },
  {
    text: 'loops:\n- {name: a, state: "${n.output}", nodes: []}\n- {name: b, times: 0, until: a.b, state: 1}\n- {name: c, times: 3.0, on_eror: fail, state: x, nodes: [{name: n, type: python}]}\n',
    diagnostics: [
      '2:10 FLOW_LOOP_UNBOUNDED loop "a" has no bound | give it `times`, for instance `times: 3`',
      '2:35 FLOW_LOOP_EMPTY loop "a" has no nodes to repeat | list them under `nodes`; the last one gives the next state',
      '3:20 FLOW_LOOP_UNBOUNDED loop "b" has the bound 0, which is no whole number from 1 to 100 | give it `times`, for instance `times: 3`',
      '3:42 FLOW_WRONG_VALUE "state" of loop "b" must be a text, not 1',
      '3:30 FLOW_WRONG_VALUE "until" of loop "b" must be the name of one property: letters, digits and _, not "a.b"',
      '3:10 FLOW_LOOP_EMPTY loop "b" has no nodes to repeat | list them under `nodes`; the last one gives the next state',
      '4:20 FLOW_LOOP_UNBOUNDED loop "c" has the bound 3.0, which is no whole number from 1 to 100 | give it `times`, for instance `times: 3`',
      '4:25 FLOW_UNKNOWN_KEY (warning) unknown key "on_eror" in loop "c" | did you mean "on_error"?',
    ],
  },
  {
    text: 'message_format: vision\n',
    diagnostics: ['1:17 FLOW_MESSAGE_FORMAT unknown message format "vision" | it is basic or openai-vision'],
  },
  {
    text: 'nodes:\n- {name: a}\n- {name: b, use_variants: false}\nnode_variants:\n  a: {default_variant_id: x, variants: {x: {node: {type: prompt}}, y: {node: {api: chat}}}}\n  b: {default_variant_id: x, variants: {x: {node: {type: prompt}}}}\n',
    diagnostics: [
      '2:10 FLOW_MISSING_KEY node "a" has no type | it has variants in `node_variants`, which `use_variants: true` puts in its place',
      '3:10 FLOW_MISSING_KEY node "b" has no type | it has variants in `node_variants`, which `use_variants: true` puts in its place',
      '5:72 FLOW_MISSING_KEY node "a" has no type | for instance `type: llm`',
    ],
  },
  {
    text: 'nodes:\n- {name: a, use_variants: true}\nnode_variants:\n  a: {default_variant_id: x, variants: {x: {node: {type: lm, inputs: 1}, descripton: d}}}\n',
    diagnostics: [
      '4:70 FLOW_WRONG_VALUE "inputs" of variant "x" of node "a" must be a mapping, not 1',
      '4:74 FLOW_UNKNOWN_KEY (warning) unknown key "descripton" in variant "x" of node "a" | did you mean "description"?',
      '4:58 FLOW_UNKNOWN_NODE_TYPE node "a" has the unknown type "lm" | did you mean "llm"?',
    ],
  },
  {
    text: 'nodes:\n- {name: a, type: prompt, source: {type: jinja2, path: a.jinja2}}\n- {name: b, type: llm, source: {type: 5}}\n- {name: c, type: python, source: {type: inline}}\n- {name: d, use_variants: true}\nnode_variants:\n  d: {default_variant_id: x, variants: {x: {node: {type: llm, source: {type: file}}}}}\n',
    diagnostics: [
      '2:42 FLOW_WRONG_VALUE (warning) "source.type" of node "a" must be one of code, package, package_with_prompt, not "jinja2"',
      '3:39 FLOW_WRONG_VALUE (warning) "source.type" of node "b" must be one of code, package, package_with_prompt, not 5',
      '4:42 FLOW_WRONG_VALUE "source.type" of node "c" must be one of code, package, package_with_prompt, not "inline"',
      '7:78 FLOW_WRONG_VALUE (warning) "source.type" of variant "x" of node "d" must be one of code, package, package_with_prompt, not "file"',
    ],
  },
  {
    text: 'inputs:\n  q: {type: string, is_chat_input: "no", description: 3}\noutputs:\n  o: {type: string, reference: "${3.output}", evaluation_only: 5}\nnodes:\n- {name: 3, type: prompt, enable_cache: "x"}\n',
    diagnostics: [
      '2:55 FLOW_WRONG_VALUE (warning) "description" of input "q" must be a text, not 3',
      '2:36 FLOW_WRONG_VALUE (warning) "is_chat_input" of input "q" must be true or false, not "no"',
      '4:64 FLOW_WRONG_VALUE (warning) "evaluation_only" of output "o" must be true or false, not 5',
      '6:10 FLOW_WRONG_VALUE (warning) "name" of node 1 must be a text, not 3',
      '6:41 FLOW_WRONG_VALUE (warning) "enable_cache" of node 1 must be true or false, not "x"',
    ],
  },
  {
    text: 'nodes:\n- {name: a, use_variants: "true"}\nnode_variants:\n  a: {default_variant_id: x, variants: {x: {node: {type: llm}}}}\n',
    diagnostics: ['2:27 FLOW_WRONG_VALUE (warning) "use_variants" of node "a" must be true or false, not "true"'],
  },
])('mistakes of shape in $text', ({ text, diagnostics }) => {
  expect(told(text)).toEqual(diagnostics);
});

test.for([
  { text: 'inputs: {a: {type: str}}', code: 'ValueError', message: "'str' is not a valid ValueType" },
  { text: 'inputs: {a: {default: 1}}', code: 'KeyError', message: "'type'" },
  { text: 'nodes: [{name: a, type: what}]', code: 'ValueError', message: "'what' is not a valid ToolType" },
  {
    text: 'nodes: [{name: a}]',
    code: 'ResolveToolError',
    message: "Tool load failed in 'a': (UserErrorException) Node a does not have source defined.",
  },
  {
    text: 'nodes: [{name: a, source: {type: code, path: a.py}}]',
    code: 'ResolveToolError',
    message: "Tool load failed in 'a': (NotImplementedError) Tool type None is not supported yet.",
  },
  {
    text: 'nodes: [{name: a, type: llm, activate: {is: 1}}]',
    code: 'FlowDefinitionError',
    message: 'The definition of activate config for node a is incorrect. Please check your flow yaml and resubmit.',
  },
  {
    text: 'message_format: v',
    code: 'InvalidMessageFormatType',
    message: "Invalid message format 'v'. Supported message formats are ['basic', 'openai-vision'].",
  },
])('Prompt flow says of $text: $message', ({ text, code, message }) => {
  const [found] = parse(text).diagnostics;
  expect(found && promptFlowError(found)).toMatchObject({ code, message });
});

test('a whole flow', () => {
  const { spec, diagnostics } = parse(`
id: f1
display_name: Ask
tags: {a: b}
strange: 1
message_format: OpenAI-Vision
inputs:
  q: {type: string, is_chat_input: true}
  n: {type: double, default: 1.0}
  none: {type: string, default: ~}
outputs:
  o: {type: string, reference: "\${ask.output}", evaluation_only: true}
environment_variables: {A: 1}
additional_includes: [../shared]
nodes:
- name: ask
  type: llm
  source: {path: ask.jinja2}
  provider: OpenAI
  connection: c
  api: chat
  retry: {times: 2, wait_seconds: 0.5}
  timeout: 10
  reduce: true
  skip: {when: 1}
  inputs: {q: "\${inputs.q}"}
  activate: {when: "\${inputs.q}", is: ~}
`);
  expect(diagnostics.map(({ message }) => message)).toEqual(['unknown key "strange"']);
  const { file: _file, locate: _locate, ...rest } = spec ?? {};
  expect(rest).toEqual({
    id: 'f1',
    displayName: 'Ask',
    isStandard: true,
    valuesOpenRoles: true,
    messageFormat: 'openai-vision',
    inputs: [
      { name: 'q', type: 'string', isChatInput: true },
      { name: 'n', type: 'double', default: new Float(1), isChatInput: false },
      { name: 'none', type: 'string', isChatInput: false },
    ],
    outputs: [{ name: 'o', type: 'string', reference: '${ask.output}', evaluationOnly: true, isChatOutput: false }],
    nodes: [
      {
        name: 'ask',
        type: 'llm',
        source: { type: 'code', path: 'ask.jinja2' },
        connection: 'c',
        api: 'chat',
        inputs: { q: '${inputs.q}' },
        activate: { when: '${inputs.q}', is: null },
        aggregation: true,
        useVariants: false,
        retry: { times: 2, wait_seconds: 0.5 },
        timeout: 10,
        settings: { provider: 'OpenAI' },
        path: ['nodes', 0],
      },
    ],
    loops: [],
    nodeVariants: {},
    environmentVariables: { A: 1 },
    additionalIncludes: ['../shared'],
    otherKeys: { tags: { a: 'b' }, strange: 1 },
  });
});

test.for([
  [
    'python',
    "Tool load failed in 'a': (NotImplementedError) Tool source type codex for python tool is not supported yet.",
  ],
  ['llm', undefined],
])('a source of no known type, of a node of type %s', ([type, told]) => {
  const text = `nodes:\n- {name: a, type: ${type}, source: {type: codex, path: a}}\n`;
  const { diagnostics } = parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: [] });
  const [wrong] = diagnostics.filter(({ code }) => code === 'FLOW_WRONG_VALUE');
  expect(wrong && promptFlowError(wrong)?.message).toBe(told);
});

test('an unknown key of a node that stands below its name is told with that name', () => {
  const { diagnostics } = parse('nodes: {a: {type: llm, inptus: {}}}\n');
  expect(diagnostics.map(({ message }) => message)).toContain('unknown key "inptus" in node "a"');
});

test.for([
  ['inputs: {q: string}', 'write `q: {type: string}`'],
  ['inputs: {q: str}', 'write `q: {type: string}`'],
  ['inputs: [{name: q}]', 'write each by its name: `q: {type: string}`'],
  ['outputs: [{name: q}]', 'write each by its name: `q: {type: string, reference: "${node.output}"}`'],
  ['outputs: {a: "${b.output}"}', 'write `a: {type: string, reference: "${b.output}"}`'],
  ['nodes: {a: {type: llm}}', 'begin each node with its name, `- name: a`, its other keys below'],
  ['nodes: {name: a, type: llm}', 'begin each node with its name, `- name: a`, its other keys below'],
  ['nodes: {type: llm, inputs: {model: m}}', 'begin each node with its name, `- name: …`, its other keys below'],
  ['nodes: [{name: a, type: llm, source: a.jinja2}]', 'write `source: {type: code, path: a.jinja2}`'],
  ['nodes: [{name: a, type: llm, source: {path: a.jinja2}, model: gpt-4o}]', '"model" stands below `inputs:`'],
  [
    'nodes: [{name: a, type: llm, source: {path: a.jinja2}, prompt: Hello}]',
    'a prompt is a file: `source: {type: code, path: ask.jinja2}`',
  ],
  [
    'nodes: [{name: a, type: gpt, source: {path: a.jinja2}}]',
    'a prompt that a model answers is of type llm, one that is filled in and handed on of type prompt',
  ],
])('what is written in another form is told with ours: %s', ([text, help]) => {
  const { diagnostics } = parse(`${text}\n`);
  expect(diagnostics.map((one) => one.help)).toEqual([help]);
});
