// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import { preventsRun } from '../source/diagnostic.ts';
import { checkFlow } from './check-flow.ts';

const files: FlowFiles = { folder: '/flow', read: () => undefined, resolve: (path) => `/flow/${path}`, list: () => [] };
const connections = { find: () => undefined, names: () => [] };
const python: NodeType = {
  name: 'python',
  version: 1,
  effects: 'reads',
  keys: [],
  inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
  prepare: () => {
    throw new Error('bug: a check runs nothing');
  },
};

function check(nodes: string, only: string): { readonly classes: readonly string[]; readonly hasPlan: boolean } {
  const text = `inputs: {q: {type: string}}\noutputs: {o: {type: string, reference: "\${zz.output}"}}\nnodes:\n${nodes}`;
  const file = { path: 'flow.dag.yaml', text };
  const { plan, diagnostics } = checkFlow(file, {
    nodeTypes: new Map([
      ['python', python],
      ['llm', { ...python, name: 'llm' }],
    ]),
    files,
    connections,
    only: new Set([only]),
  });
  const mistakes = diagnostics.filter(preventsRun);
  return {
    classes: mistakes.map((mistake) => {
      const error = promptFlowError(mistake);
      return error === undefined ? mistake.message : `${error.code} ${error.message}`;
    }),
    hasPlan: plan !== undefined,
  };
}

const good = '- {name: n, type: python, inputs: {q: "${inputs.q}", z: "${gone.output}", y: "${other.output}"}}\n';

test.for([
  ['a file that is not there', '- {name: other, type: python, source: {path: zz.py}}\n'],
  ['an input that is not declared', '- {name: other, type: python, inputs: {x: "${inputs.zz}"}}\n'],
  ['a node on a circle', '- {name: other, type: python, inputs: {x: "${n.output}"}}\n'],
  ['a node without a type', '- {name: other}\n'],
])('a node runs alone beside %s', ([, other]) => {
  expect(check(good + other, 'n')).toEqual({ classes: [], hasPlan: true });
});

test('what is wrong with the node itself is told in the words for one node', () => {
  const undeclared = '- {name: n, type: python, inputs: {q: "${inputs.zz}"}}\n';
  expect(check(undeclared, 'n').classes).toEqual([
    "InputNotFound The input for node is incorrect. Node input 'zz' is not found from flow inputs of node 'n'. Please review the node definition in your flow.",
  ]);
  expect(check('- {name: n}\n', 'n').classes).toEqual([
    "SingleNodeValidationError Validation failed when attempting to execute the node. Properties 'source' or 'type' are not specified for Node 'n' in flow 'flow.dag.yaml'. Please make sure these properties are in place and try again.",
  ]);
});

test('a model node without a template is told so before its connection is looked for', () => {
  expect(check('- {name: n, type: llm, connection: gone}\n', 'n').classes[0]).toBe(
    "SingleNodeValidationError Validation failed when attempting to execute the node. Properties 'source' or 'type' are not specified for Node 'n' in flow 'flow.dag.yaml'. Please make sure these properties are in place and try again.",
  );
});
