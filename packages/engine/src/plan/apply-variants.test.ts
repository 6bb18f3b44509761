import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { preventsRun } from '../source/diagnostic.ts';
import { applyVariants, type VariedFlow } from './apply-variants.ts';
import { specOf, toldBy } from './flow-text.fixture.ts';

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

function apply(text: string, variant?: string) {
  return shown(applyVariants(specOf(text), variant));
}

function shown({ spec, diagnostics }: VariedFlow) {
  const nodes = [...spec.nodes, ...spec.loops.flatMap((loop) => loop.nodes)];
  return {
    nodes: nodes.map(({ name, type, inputs }) => `${name} ${type} ${JSON.stringify(inputs)}`),
    told: diagnostics.map((found) => `${preventsRun(found) ? 'stop' : 'go on'}: ${promptFlowError(found)?.message}`),
  };
}

const noEntry = 'stop: No variant for the node whole.';

test.for([
  { variant: undefined, ask: 'ask llm {"a":0}', told: [noEntry] },
  { variant: `\${ask.v2}`, ask: 'ask python {}', told: [noEntry] },
  { variant: `\${ask.v1}`, ask: 'asked prompt {"a":1}', told: [noEntry] },
  {
    variant: `\${ask.v9}`,
    ask: 'ask llm {"a":0}',
    told: ['stop: Variant v9 not found for node ask', noEntry],
  },
  { variant: `\${aks.v1}`, ask: 'ask llm {"a":0}', told: ['stop: Node aks not found in flow', noEntry] },
  {
    variant: 'ask.v1',
    ask: 'ask llm {"a":0}',
    told: [`stop: Invalid variant format: ask.v1, variant should be in format of \${TUNING_NODE.VARIANT}`, noEntry],
  },
])('variant $variant puts $ask in place', ({ variant, ask, told }) => {
  const applied = apply(flow, variant);
  expect(applied.nodes).toEqual([ask, 'plain python {}', 'whole llm {}']);
  expect(applied.told).toEqual(told);
});

test.for([
  { variants: '{}', at: '1:33', told: 'stop: No variant for the node a.' },
  {
    variants: '{a: {variants: {x: {node: {type: llm}}}}}',
    at: '2:17',
    told: 'stop: Default variant id is not specified for a.',
  },
  {
    variants: '{a: {default_variant_id: y, variants: {x: {node: {type: llm}}}}}',
    at: '2:41',
    told: 'stop: Cannot find the variant y for a.',
  },
])('a node without a body needs its variant: $variants', ({ variants, at, told }) => {
  const varied = applyVariants(specOf(`nodes: [{name: a, use_variants: true}]\nnode_variants: ${variants}\n`));
  expect(shown(varied).told).toEqual([told]);
  expect(toldBy(varied.diagnostics)).toEqual([expect.stringMatching(`^${at} FLOW_VARIANT`)]);
});

test('nodes of a loop have variants too', () => {
  const text = `loops:
- {name: l, times: 1, state: "\${l.output}", nodes: [{name: a, use_variants: true}]}
node_variants: {a: {default_variant_id: x, variants: {x: {node: {type: llm}}}}}
`;
  expect(apply(text)).toEqual({ nodes: ['a llm {}'], told: [] });
});
