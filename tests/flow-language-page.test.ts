import { readFileSync } from 'node:fs';
import { bindReferences, parseFlow, stringifyFlow, unrollLoops } from '@unroll/engine';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../docs/flow-language.md', import.meta.url), 'utf8');
const [, example = ''] = page.split('## A worked example');
const [written = '', expanded = ''] = [...example.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

function planOf(text: string): unknown {
  const { spec, diagnostics } = parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: ['python', 'llm'] });
  if (spec === undefined) throw new Error('the example is no flow');
  const unrolled = unrollLoops(spec);
  const bound = bindReferences(unrolled.spec);
  expect([...diagnostics, ...unrolled.diagnostics, ...bound.diagnostics]).toEqual([]);
  return bound.plan?.nodes.map(({ name, dependencies, feedBack }) => ({ name, dependencies, feedBack }));
}

test('the worked example expands to what the page shows', () => {
  const { spec } = parseFlow({ path: 'flow.dag.yaml', text: written }, { nodeTypes: ['python', 'llm'] });
  expect(spec === undefined ? '' : stringifyFlow(spec)).toBe(expanded);
});

test('both texts give the same plan', () => {
  expect(planOf(expanded)).toEqual(planOf(written));
});
