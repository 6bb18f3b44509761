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
  ["''", 'a text that is not empty, not ""'],
])('another connection that is none is told with what it should be: %s', ([written, told]) => {
  const { diagnostics } = parse(`
nodes:
- {name: ask, type: llm, retry: {times: 1, fallback: [${written}]}}
`);
  expect(diagnostics.map(({ message }) => message)).toContain(`"retry.fallback.0" of node "ask" must be ${told}`);
});

test.for([
  ['{connection: other, model: 5}', 'error "retry.fallback.0.model" of node "ask" must be a text, not 5'],
  ['{model: m}', 'error "retry.fallback.0" of node "ask" lacks the key "connection"'],
  [
    '{connection: other, modle: m}',
    'warning unknown key "modle" in "retry.fallback.0" of node "ask": did you mean "model"?',
  ],
  [
    '{conection: other}',
    'error "retry.fallback.0" of node "ask" lacks the key "connection": did you mean "connection" by "conection"?',
    'warning unknown key "conection" in "retry.fallback.0" of node "ask": did you mean "connection"?',
  ],
])('of another connection the form that was meant is told: %s', ([written, ...told]) => {
  const { diagnostics } = parse(`
nodes:
- {name: ask, type: llm, retry: {times: 1, fallback: [${written}]}}
`);
  const shape = diagnostics.filter(({ message }) => message.includes('retry'));
  expect(shape.map(({ severity, message, help }) => [`${severity} ${message}`, help ?? []].flat().join(': '))).toEqual(
    told,
  );
});

test('where one of some names should stand, the nearest is told', () => {
  const { diagnostics } = parse(`
loops:
- {name: turns, times: 2, state: x, on_exhausted: finalise, nodes: [{name: ask, type: llm}]}
`);
  const wrong = diagnostics.find(({ message }) => message.includes('on_exhausted'));
  expect(wrong).toMatchObject({
    message: '"on_exhausted" of loop "turns" must be one of unfinished, fail, finalize, not "finalise"',
    help: 'did you mean "finalize"?',
  });
});
