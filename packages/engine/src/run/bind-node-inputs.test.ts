import { expect, test } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import { bindReferences } from '../plan/bind-references.ts';
import { type AloneInputs, bindNodeInputs } from './bind-node-inputs.ts';

const text = `inputs: {n: {type: int, default: 4}, m: {type: int}}
nodes:
- {name: a, type: python, inputs: {x: "\${inputs.m}"}}
- {name: b, type: python, inputs: {x: "\${a.output.k}", n: "\${inputs.n}", l: 7}}
- {name: u, type: python, inputs: {x: "\${a.inputs.k}"}}
- {name: t, type: python, aggregation: true, inputs: {x: "\${a.output}", n: "\${inputs.n}"}}
`;
const { spec } = parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: ['python'] });
if (spec === undefined) throw new Error('the flow of this test cannot be read');
const { plan } = bindReferences(spec);

test.for<[string, AloneInputs, unknown]>([
  ['b', { outputs: { a: { k: 5 } } }, { x: 5, n: 4 }],
  ['b', { outputs: { a: { k: 5 } }, flowInputs: { n: '9' } }, { x: 5, n: 9 }],
  ['t', { outputs: { a: { k: 5 } } }, { x: [{ k: 5 }], n: [4] }],
  ['b', { outputs: { a: {} } }, 'InvalidReferenceProperty'],
  ['b', { outputs: { a: null } }, 'InvalidReferenceProperty'],
  ['t', { outputs: { a: null } }, { x: [null], n: [4] }],
  ['b', { outputs: { a: { k: null } } }, { x: null, n: 4 }],
  ['b', {}, 'InputNotFoundFromAncestorNodeOutput'],
  ['u', { outputs: { a: { k: 5 } } }, 'UnsupportedReference'],
  ['a', {}, 'InputNotFound'],
  ['a', { flowInputs: { m: 'x' } }, 'InputTypeError'],
])('node %s, given %j, gets %j', async ([name, given, expected]) => {
  const node = plan?.nodes.find((candidate) => candidate.name === name);
  if (plan === undefined || node === undefined) throw new Error('no such node');
  const bound = await bindNodeInputs(plan, node, given);
  expect(bound.ok ? bound.inputs : bound.error.code).toEqual(expected);
});
