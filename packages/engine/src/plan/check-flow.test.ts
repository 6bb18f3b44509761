// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import { preventsRun } from '../source/diagnostic.ts';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { checkFlow } from './check-flow.ts';

const template = { path: 'agent.jinja2', text: 'user:\n{{state.query}} {{serch_results}}\n' };

const files: FlowFiles = {
  folder: '/flow',
  read: (path) => (path === template.path ? template : undefined),
  resolve: (path) => `/flow/${path}`,
  list: () => [template.path, 'step.py'],
};

const connections = { find: () => undefined, names: () => ['offline'] };

function typeOf(name: string, inspection: Partial<NodeInspection>): NodeType {
  return {
    name,
    version: 1,
    effects: name === 'python' ? 'writes' : 'reads',
    keys: [],
    inspect: (node, { read }) => {
      const known = read(node.source?.path ?? '') === undefined ? {} : inspection;
      return { diagnostics: [], takesAnyInput: true, files: [], ...known };
    },
    prepare: () => {
      throw new Error('bug: a check runs nothing');
    },
  };
}

const start = template.text.indexOf('serch_results');
const missing = { name: 'serch_results', required: true, span: { file: template, start, end: start + 13 } };
const broken = {
  severity: 'error' as const,
  code: 'TEMPLATE_SYNTAX',
  message: 'unknown filter "x"',
  span: missing.span,
};
const llm = typeOf('llm', {
  fillsTemplate: true,
  parameters: [{ name: 'state', required: true }, missing],
  diagnostics: [broken],
});
const nodeTypes = new Map([llm, typeOf('python', {})].map((type) => [type.name, type]));

function check(text: string, variant?: string) {
  const file = { path: 'flow.dag.yaml', text };
  return checkFlow(file, { nodeTypes, files, connections, ...(variant === undefined ? {} : { variant }) });
}

const loop = `inputs:
  query: {type: string}
outputs:
  answer: {type: string, reference: "\${search.output.answer}"}
nodes:
- {name: first, type: python, source: {type: code, path: agent.jinja2}, inputs: {query: "\${inputs.query}"}}
loops:
- name: search
  times: 3
  state: \${first.output}
  nodes:
  - name: agent
    type: llm
    source: {type: code, path: agent.jinja2}
    connection: online
    inputs: {state: "\${loop.state}", history: [], other: "\${frist.output}"}
  - name: step
    type: python
    source: {type: code, path: stp.py}
    inputs: {state: "\${loop.state}", message: "\${agent.output}"}
`;

test('everything is told in one go, and what a loop repeats only once', () => {
  const { diagnostics, plan, spec, inspections } = check(loop);
  expect(formatDiagnostics(diagnostics)).toBe(`agent.jinja2:2:19 error TEMPLATE_SYNTAX unknown filter "x"
    {{state.query}} {{serch_results}}
                      ~~~~~~~~~~~~~
agent.jinja2:2:19 warning TEMPLATE_VARIABLE_MISSING no input of node "agent" gives the variable "serch_results"
    {{state.query}} {{serch_results}}
                      ~~~~~~~~~~~~~
    help: add "serch_results" to the inputs of the node
    flow.dag.yaml:12:11 note: the node is here
flow.dag.yaml:15:17 error CONNECTION_MISSING there is no connection "online" for node "agent"
        connection: online
                    ~~~~~~
    help: did you mean "offline"?
flow.dag.yaml:16:38 warning TEMPLATE_INPUT_UNUSED the template of node "agent" does not use the input "history"
        inputs: {state: "\${loop.state}", history: [], other: "\${frist.output}"}
                                         ~~~~~~~
flow.dag.yaml:16:51 warning TEMPLATE_INPUT_UNUSED the template of node "agent" does not use the input "other"
        inputs: {state: "\${loop.state}", history: [], other: "\${frist.output}"}
                                                      ~~~~~
flow.dag.yaml:16:58 error FLOW_UNKNOWN_NODE there is no node "frist"
        inputs: {state: "\${loop.state}", history: [], other: "\${frist.output}"}
                                                             ~~~~~~~~~~~~~~~~~
    help: did you mean "first"?
flow.dag.yaml:19:32 error FILE_MISSING there is no file "stp.py" for node "step"
        source: {type: code, path: stp.py}
                                   ~~~~~~
    help: did you mean "step.py"?
4 errors, 3 warnings`);
  expect(plan).toBeUndefined();
  expect(spec?.loops.map(({ name }) => name)).toEqual(['search']);
  expect([...inspections.keys()]).toEqual([
    'first',
    'agent_1',
    'step_1',
    'agent_2',
    'step_2',
    'agent_3',
    'step_3',
    'search',
  ]);
});

test('a plan is there with other errors, and those that only a node can meet let it run', () => {
  const sound = loop
    .replace(', other: "${frist.output}"', '')
    .replace('    connection: online\n', '')
    .replace('stp.py', 'agent.jinja2');
  const { diagnostics, plan } = check(sound);
  expect(plan?.nodes.length).toBe(8);
  expect(diagnostics.filter(preventsRun).map(({ code }) => code)).toEqual(['TEMPLATE_SYNTAX']);
});

test('a text that is no mapping has no spec', () => {
  const { spec, plan, diagnostics } = check('- a\n- b\n');
  expect({ spec, plan, codes: diagnostics.map(({ code }) => code) }).toEqual({
    spec: undefined,
    plan: undefined,
    codes: ['FLOW_WRONG_VALUE'],
  });
});

const varied = `inputs:
  q: {type: string}
outputs:
  a: {type: string, reference: "\${ask.output}"}
nodes:
- {name: ask, use_variants: true}
node_variants:
  ask:
    default_variant_id: long
    variants:
      long: {node: {type: python, source: {type: code, path: agent.jinja2}, inputs: {q: "\${inputs.q}"}}}
      short: {node: {type: python, source: {type: code, path: step.py}, inputs: {q: "\${inputs.q}"}}}
`;

test.for([
  [undefined, []],
  ['${ask.short}', ['FILE_MISSING']],
  ['${ask.shrt}', ['FLOW_VARIANT']],
] as const)('the variant %s is what is checked: %s', ([variant, codes]) => {
  expect(check(varied, variant).diagnostics.map(({ code }) => code)).toEqual(codes);
});

test.for([
  ['/home/me/my-flow', '', 'my_flow'],
  ['/home/me/2 flows/', '', '_2_flows'],
  ['C:\\flows\\Ask', '', 'ask'],
  ['/home/me/個人情報-Ｑ＆Ａ', '', '個人情報_ｑ_ａ'],
  ['/home/me/２つ目', '', '_２つ目'],
  ['/home/me/my-flow', 'name: mine\n', 'mine'],
] as const)('a flow in %s with "%s" is called %s, wherever it is looked at from', ([folder, name, wanted]) => {
  const file = { path: 'flow.dag.yaml', text: `${name}nodes: []\n` };
  const { plan } = checkFlow(file, { nodeTypes, files: { ...files, folder }, connections });
  expect(plan?.name).toBe(wanted);
});

test('a file that many nodes fill, and one that is missing, is looked for once', () => {
  const asked: string[] = [];
  const counted: FlowFiles = {
    ...files,
    read: (path) => {
      asked.push(`read ${path}`);
      return files.read(path);
    },
    resolve: (path) => {
      asked.push(`resolve ${path}`);
      return files.resolve(path);
    },
    list: () => {
      asked.push('list');
      return files.list();
    },
  };
  const nodes = Array.from({ length: 40 }, (_, index) => {
    const path = index % 2 === 0 ? template.path : 'gone.jinja2';
    return `- {name: node_${index}, type: llm, source: {type: code, path: ${path}}}`;
  });
  const file = { path: 'flow.dag.yaml', text: `nodes:\n${nodes.join('\n')}\n` };
  const { diagnostics } = checkFlow(file, { nodeTypes, files: counted, connections });
  expect(diagnostics.filter(({ code }) => code === 'FILE_MISSING')).toHaveLength(20);
  expect(asked.toSorted()).toEqual([
    'list',
    'read agent.jinja2',
    'read gone.jinja2',
    'resolve agent.jinja2',
    'resolve gone.jinja2',
  ]);
});
