import { applyVariants, type FlowSpec, parseFlow, preventsRun, type VariedFlow } from '@unroll/engine';
import { expect, test } from 'vitest';
import { promptFlowError } from '../errors/diagnostic-error.ts';
import { executorVariants, unvaried } from './executor-variants.ts';

const flow = `nodes:
- {name: ask, use_variants: true, inputs: {lost: 1}}
- {name: plain, type: python}
- {name: whole, type: llm, use_variants: true}
node_variants:
  ask:
    default_variant_id: v0
    variants:
      v0: {node: {type: llm, inputs: {a: 0}}}
      v1: {node: {name: asked, type: prompt, inputs: {a: 1}}}
      v2: {node: {type: python}, description: d}
`;

/** Also where the file has mistakes of shape. */
function apply(text: string, rule: (spec: FlowSpec) => VariedFlow) {
  const { spec } = parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: ['llm'] });
  if (spec === undefined) throw new Error('no flow');
  const varied = rule(spec);
  return {
    nodes: varied.spec.nodes.map(({ name, type, inputs }) => `${name} ${type} ${JSON.stringify(inputs)}`),
    told: varied.diagnostics.filter(preventsRun).map((found) => promptFlowError(found)?.message),
  };
}

// Made by running Prompt flow 1.18.5 itself: its executor, and its test of a flow.
test.for([
  [
    '{a: {default_variant_id: v9, variants: {v0: {node: {type: llm}}}}}',
    'no source',
    'Cannot find the variant v9 for a.',
  ],
  ['{}', 'no source', 'No variant for the node a.'],
  ['{a: {default_variant_id: 0, variants: {0: {node: {type: llm}}}}}', 'a llm', 'fine'],
  ['{a: {default_variant_id: v0, variants: {v0: {node: {name: other, type: llm}}}}}', 'a llm', 'fine'],
  [
    '{a: {default_variant_id: null, variants: {v0: {node: {type: llm}}}}}',
    'no source',
    'Cannot find the variant None for a.',
  ],
  ['{a: {default_variant_id: v0, variants: {v0: {}}}}', "'node'", 'Failed to overwrite tuning node with variant'],
  [
    '{a: {default_variant_id: v0, variants: {v0: {node: null}}}}',
    "'NoneType' object has no attribute 'get'",
    "'NoneType' object is not a mapping",
  ],
  ['{a: {}}', "'variants'", 'Default variant id is not specified for a.'],
  ['{a: null}', "'NoneType' object is not subscriptable", "argument of type 'NoneType' is not iterable"],
] as const)('variants %s: the executor says %s, the command line %s', ([variants, executor, commandLine]) => {
  const text = `nodes: [{name: a, use_variants: true}]\nnode_variants: ${variants}\n`;
  const ran = apply(text, executorVariants);
  const noSource = "Tool load failed in 'a': (UserErrorException) Node a does not have source defined.";
  const first = ran.told[0]?.replace(noSource, 'no source');
  expect(first ?? ran.nodes[0]?.replace(' {}', '')).toBe(executor);
  expect(apply(text, (spec) => applyVariants(spec)).told[0] ?? 'fine').toBe(commandLine);
});

test('the executor takes a whole node as it stands where its variant is missing; nobody puts variants in place of a node that runs alone', () => {
  expect(apply(flow, executorVariants)).toEqual({
    nodes: ['ask llm {"a":0}', 'plain python {}', 'whole llm {}'],
    told: [],
  });
  expect(apply(flow, unvaried).nodes).toEqual(['ask  {"lost":1}', 'plain python {}', 'whole llm {}']);
});

// As Prompt flow 1.18.5, which goes by what Python takes for true.
test.for([
  ['true', 'prompt'],
  ['1', 'prompt'],
  ['"true"', 'prompt'],
  ['"false"', 'prompt'],
  ['0', 'python'],
  ['""', 'python'],
  ['null', 'python'],
] as const)('use_variants: %s takes the %s node', ([written, type]) => {
  const text = `nodes: [{name: a, type: python, use_variants: ${written}}]
node_variants: {a: {default_variant_id: v0, variants: {v0: {node: {type: prompt}}}}}
`;
  const node = `a ${type} {}`;
  expect(apply(text, executorVariants).nodes).toEqual([node]);
  expect(apply(text, (spec) => applyVariants(spec)).nodes).toEqual([node]);
});
