// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { checkFlow } from './check-flow.ts';

const files: FlowFiles = {
  folder: '/flow',
  read: (path) => ({ path, text: '' }),
  resolve: (path) => path,
  list: () => [],
};
const connections = { find: () => undefined, names: () => ['mine'] };

/** What is known of nodes by the first word of their names: what they give, and what they take. */
const known: Readonly<Record<string, Partial<NodeInspection>>> = {
  text: { outputType: 'string' },
  number: { outputType: 'int' },
  flag: { outputType: 'bool' },
  things: { outputType: 'list' },
  whole: { parameters: [{ name: 'n', required: true, type: 'int' }], takesAnyInput: false },
};

const inspect: NodeType['inspect'] = ({ name }) => {
  return { diagnostics: [], takesAnyInput: true, files: [], ...known[/^[a-z]+/.exec(name)?.[0] ?? ''] };
};
const nodeTypes = new Map(
  ['python', 'llm', 'prompt'].map((name): [string, NodeType] => [
    name,
    {
      name,
      version: 1,
      effects: 'reads',
      keys: [],
      inspect,
      prepare: () => Promise.reject(new Error('bug: nothing runs')),
    },
  ]),
);

function told(text: string): string {
  return formatDiagnostics(checkFlow({ path: 'f.yaml', text }, { nodeTypes, files, connections }).diagnostics);
}

const node = (name: string, more = ''): string =>
  `- {name: ${name}, type: python, source: {type: code, path: x.py}${more === '' ? '' : `, ${more}`}}\n`;
const head = (outputs: string): string =>
  `inputs:\n  q: {type: string}\n  n: {type: int}\noutputs:\n${outputs}nodes:\n`;
const output = (reference: string): string => `  o: {type: string, reference: ${reference}}\n`;
const gives = (last: string): string => head(output(`"\${${last}.output}"`));
const loop = (more: string, nodes = turn): string =>
  `inputs:\n  q: {type: string}\noutputs:\n${output('"${turns.output.answer}"')}nodes:\n${node('start', 'inputs: {q: "${inputs.q}"}')}loops:\n- name: turns\n${more}  nodes:\n${nodes}`;
const turn = `  ${node('agent', 'inputs: {state: "${loop.state}"}')}  ${node('step', 'inputs: {state: "${loop.state}", said: "${agent.output}"}')}`;

const flows: Readonly<Record<string, string>> = {
  'outputs that give nothing': `${head(
    '  empty: {type: string, reference: ""}\n  none: {type: string, reference: null}\n  missing: {type: string}\n',
  )}${node('a')}`,
  'outputs of what is not there': `${head(
    '  a: {type: string, reference: "${inputs.qq}"}\n  b: {type: string, reference: "${inputs.q.text}"}\n  c: {type: string, reference: "${aks.output}"}\n  d: {type: string, reference: "${q.output}"}\n  e: {type: string, reference: "${ask .output}"}\n  f: {type: string, reference: "${zzzzzz.output}"}\n',
  )}${node('ask')}`,
  'outputs of inputs, of literals, and of what runs once over all rows': `${head(
    '  a: {type: string, reference: "${inputs.q}"}\n  b: {type: string, reference: plain}\n  c: {type: string, reference: "${mean.output}"}\n  d: {type: string, reference: "${ask.text}"}\n',
  )}${node('ask')}${node('mean', 'aggregation: true, inputs: {a: "${ask.output}"}')}`,
  'parts of what has none': `${head(
    '  a: {type: string, reference: "${text_1.output.x}"}\n  b: {type: string, reference: "${things.output.x}"}\n',
  )}${node('text_1')}${node('number_1')}${node('things')}${node('b', 'inputs: {x: "${number_1.output[0]}", y: "${unknown.output.x}"}')}${node('c', 'inputs: {b: "${b.output}"}, activate: {when: "${text_1.output.x}", is: 1}')}`,
  'conditions that can never hold': `${gives('e')}${node('flag')}${node('text_1')}${node('number_1')}${node('a', 'activate: {when: "${flag.output}", is: "True"}')}${node('b', 'activate: {when: "${text_1.output}", is: 5}')}${node('c', 'activate: {when: "${number_1.output}", is: five}')}${node('d', 'activate: {when: "${inputs.n}", is: x}')}${node('e', 'inputs: {a: "${a.output}", b: "${b.output}", c: "${c.output}", d: "${d.output}", q: "${inputs.q}"}')}`,
  'conditions that may hold': `${gives('e')}${node('flag')}${node('text_1')}${node('number_1')}${node('a', 'activate: {when: "${flag.output}", is: 1}')}${node('b', 'activate: {when: "${text_1.output}", is: "5"}')}${node('c', 'activate: {when: "${number_1.output}", is: true}')}${node('d', 'activate: {when: "${inputs.n}", is: 2.0}')}${node('e', 'inputs: {a: "${a.output}", b: "${b.output}", c: "${c.output}", d: "${d.output}", q: "${inputs.q}"}, activate: {when: "${things.output.x}", is: {a: 1}}')}${node('things')}`,
  'conditions that are always the same': `${gives('c')}${node('a', 'activate: {when: yes, is: yes}')}${node('b', 'activate: {when: one, is: two}')}${node('c', 'inputs: {a: "${a.output}", b: "${b.output}"}')}`,
  'nodes that never run, and what reads them': `${gives('d')}${node('a', 'activate: {when: one, is: two}')}${node('b', 'inputs: {a: "${a.output}"}')}${node('c', 'inputs: {a: "${a.output}", b: "${b.output}"}')}${node('d', 'inputs: {b: "${b.output}", q: "${inputs.q}"}')}${node('e', 'inputs: {d: "${d.output}"}, activate: {when: "${b.output}", is: 1}')}${node('f', 'inputs: {b: "${b.output}"}, activate: {when: "${inputs.q}", is: x}')}${node('mean', 'aggregation: true, inputs: {b: "${b.output}"}')}`,
  'references within texts, lists and mappings': `${gives('ask')}${node('ask', 'inputs: {a: "say ${inputs.q} again", b: ["${other.output}"], c: {d: "${ask.output}"}, e: "${HOME} and ${x.y}", f: ["${inputs.nobody}"], g: "cost: $5 {a}"}')}${node('other')}`,
  'values of other types': `${gives('whole')}${node('whole', 'inputs: {n: five}')}${node('whole_2', 'inputs: {n: "${inputs.q}"}')}${node('whole_3', 'inputs: {n: "5"}')}${node('whole_4', 'inputs: {n: null}')}`,
  'a circle, over a condition too': `${gives('a')}${node('a', 'inputs: {b: "${b.output}"}')}${node('b', 'activate: {when: "${c.output}", is: 1}')}${node('c', 'inputs: {a: "${a.output}"}')}`,
  'nodes over all rows read in a row, and the other way round': `${gives('b')}${node('mean', 'aggregation: true, inputs: {a: "${a.output}"}')}${node('a')}${node('b', 'inputs: {m: "${mean.output}"}')}${node('last', 'aggregation: true, inputs: {m: "${mean.output}"}, activate: {when: "${a.output}", is: 1}')}`,
  'the same twice': `${gives('a')}${node('a')}${node('a')}${node('inputs')}`,
  'a loop that is well': loop('  times: 3\n  state: "${start.output}"\n'),
  'a loop without bound or state': loop(''),
  'a loop whose bound is none': loop('  times: 0\n  state: "${start.output}"\n'),
  'a loop that goes round too often': loop('  times: 100000\n  state: "${start.output}"\n'),
  'a loop with a state that is not there': loop('  times: 2\n  state: "${strat.output}"\n'),
  'a loop whose state is a text': loop('  times: 2\n  state: nothing\n'),
  'a loop with keys that are no words': loop(
    '  times: 2\n  state: "${start.output}"\n  on_exhausted: explode\n  until: ""\n  untill: x\n',
  ),
  'a budget that is none': loop('  times: 2\n  state: "${start.output}"\n  budget: {tokens: -5, money: 3}\n'),
  'a last step that nobody asked for, and one that is missing': `${loop(
    `  times: 2\n  state: "\${start.output}"\n  finalize: ${node('last', 'inputs: {state: "${loop.state}"}').slice(2)}`,
  )}- name: more\n  times: 2\n  state: "\${turns.output}"\n  on_exhausted: finalize\n  nodes:\n  ${node('one', 'inputs: {state: "${loop.state}"}')}`,
  'a loop without nodes': loop('  times: 2\n  state: "${start.output}"\n', ''),
  'a loop whose last node does not hand the state on': loop(
    '  times: 2\n  state: "${start.output}"\n',
    `  ${node('agent', 'inputs: {q: "${inputs.q}"}')}`,
  ),
  'nodes in a loop that are read from outside': `${loop('  times: 2\n  state: "${start.output}"\n').replace(
    'loops:',
    `${node('after', 'inputs: {a: "${agent.output}", b: "${agent_1.output}", c: "${agent_2.output}", d: "${turns.output}"}')}loops:`,
  )}`,
  'loop.state where there is no loop': `${gives('a')}${node('a', 'inputs: {state: "${loop.state}", t: "${loop.times}"}')}`,
  'parts of a loop that are not there': loop(
    '  times: 2\n  state: "${start.output}"\n',
    `  ${node('agent', 'inputs: {state: "${loop.state}", i: "${loop.iteration}", x: "${loop.turn}"}')}`,
  ),
  'a loop by the name of a node': `${loop('  times: 2\n  state: "${start.output}"\n').replace('- name: turns', '- name: start')}`,
  'a node in a loop that waits for one of the next turn': loop(
    '  times: 2\n  state: "${start.output}"\n',
    `  ${node('agent', 'inputs: {state: "${loop.state}", s: "${step.output}"}')}  ${node('step', 'inputs: {state: "${loop.state}", said: "${agent.output}"}')}`,
  ),
  'conditions and nodes over all rows in a loop': loop(
    '  times: 2\n  state: "${start.output}"\n',
    `  ${node('agent', 'inputs: {state: "${loop.state}"}, activate: {when: "${loop.state.x}", is: 1}')}  ${node('step', 'aggregation: true, inputs: {state: "${loop.state}", said: "${agent.output}"}')}`,
  ),
  'connections nobody knows': `${gives('a')}- {name: a, type: llm, source: {type: code, path: x.jinja2}, connection: mien, api: chat, inputs: {deployment_name: d}}\n`,
};

test('what is said of the mistakes in whole flows, each at its place', async () => {
  const all = Object.entries(flows).map(([name, text]) => `=== ${name}\n${text}--- told\n${told(text)}\n`);
  await expect(`${all.join('\n')}`).toMatchFileSnapshot(join(import.meta.dirname, 'told-mistakes.golden.txt'));
});

/** One mistake is told once: what follows from it is none of the author's. */
test.for<readonly [text: string, place: string]>([
  [
    'inputs: {q: {type: string}}\noutputs:\n- name: a\n  type: string\n  reference: ${text.output}\nnodes:\n- name: text\n  type: python\n  inputs: {q: "${inputs.q}"}\n',
    'f.yaml:3:1 error FLOW_WRONG_VALUE outputs must be a mapping, not a list',
  ],
  [
    'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${more.output}"}}\nnodes:\n  text: {type: python, inputs: {q: "${inputs.q}"}}\n  more: {type: python, inputs: {q: "${text.output}"}}\n',
    'f.yaml:4:3 error FLOW_WRONG_VALUE nodes must be a list, not a mapping',
  ],
  [
    'inputs:\n- q: {type: string}\noutputs: {a: {type: string, reference: "${text.output}"}}\nnodes:\n- name: text\n  type: python\n  inputs: {q: "${inputs.q}"}\n',
    'f.yaml:2:1 error FLOW_WRONG_VALUE inputs must be a mapping, not a list',
  ],
  [
    'inputs: [q]\noutputs: {a: {type: string, reference: "${text.output}"}}\nnodes:\n- name: text\n  type: python\n  inputs: {q: "${inputs.q}"}\n',
    'f.yaml:1:9 error FLOW_WRONG_VALUE inputs must be a mapping, not a list',
  ],
  [
    'outputs: {a: "${text.output}"}\nnodes:\n- name: text\n  type: python\n',
    'f.yaml:1:14 error FLOW_WRONG_VALUE output "a" must be a mapping, not "${text.output}"',
  ],
])('%j has one mistake', ([text, place]) => {
  const [first, ...others] = told(text)
    .split('\n')
    .filter((line) => /^f\.yaml:/.test(line));
  expect([first, others]).toEqual([place, []]);
});

test('what else is wrong in a section of the wrong kind is told at its place', () => {
  const text = 'inputs:\n- name: p\n  type: string\noutputs:\n- name: a\n  reference: ${gone.output}\nnodes: []\n';
  expect(told(text)).toContain('f.yaml:6:14 error FLOW_UNKNOWN_NODE there is no node "gone"');
});
