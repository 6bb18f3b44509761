import { expect, test } from 'vitest';
import { parseFlow } from './parse-flow.ts';

function parse(text: string) {
  return parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: ['llm', 'python'] });
}

test('a number with a point is a number, where one is asked for', () => {
  const { spec, diagnostics } = parse(`
inputs: {q: {type: string}}
nodes:
- name: ask
  type: llm
  timeout: 5.0
  retry: {times: 3, wait_seconds: 1.0, fallback: [other]}
loops:
- name: search
  times: 2
  state: \${go.output}
  budget: {seconds: 60.0, cost: 1.0, tokens: 1000}
  nodes:
  - {name: go, type: python}
`);
  expect(diagnostics.filter(({ code }) => code === 'FLOW_WRONG_VALUE')).toEqual([]);
  expect(spec?.nodes[0]).toMatchObject({ timeout: 5, retry: { times: 3, wait_seconds: 1 } });
  expect(spec?.loops[0]).toMatchObject({ times: 2, budget: { seconds: 60, cost: 1, tokens: 1000 } });
});

test.for([
  ['timeout: -5.0', '"timeout" of node "ask" must be above 0, not -5.0'],
  ['connection: 1.0', '"connection" of node "ask" must be a text, not 1.0'],
])('%s is told with what should stand there', ([written, told]) => {
  const { diagnostics } = parse(`nodes:\n- {name: ask, type: llm, ${written}}\n`);
  expect(diagnostics.map(({ message }) => message)).toContain(told);
});

test('a count with a point is none', () => {
  const { diagnostics } = parse(`
nodes:
- {name: ask, type: llm, retry: {times: 1e9}}
`);
  expect(diagnostics.map(({ message }) => message)).toContain(
    '"retry.times" of node "ask" must be a whole number, not 1000000000.0',
  );
});

test.for([
  ['5', 'a text or a mapping, not 5'],
  ['[other]', 'a text or a mapping, not a list'],
  ['{connection: other, model: 5}', 'a text or a mapping with a text as model, not a mapping'],
  ['{model: m}', 'a text or a mapping with a text as connection, not a mapping'],
])('another connection that is none is told with what it should be: %s', ([written, told]) => {
  const { diagnostics } = parse(`
nodes:
- {name: ask, type: llm, retry: {times: 1, fallback: [${written}]}}
`);
  expect(diagnostics.map(({ message }) => message)).toContain(`"retry.fallback.0" of node "ask" must be ${told}`);
});
