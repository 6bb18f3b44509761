import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { writtenFlow } from './made-flow.fixture.ts';

const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${search.output}"}
nodes:
  - {name: start, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
loops:
  - name: search
    times: 3
    state: \${start.output}
    nodes:
      - {name: ask, type: python, source: {type: code, path: x.ts}, inputs: {of: "\${loop.state}"}}
      - {name: step, type: python, source: {type: code, path: x.ts}, inputs: {said: "\${ask.output}", state: "\${loop.state}"}}
`;
const ended = { finished: true, content: 'yes' };

async function run(...states: readonly JsonValue[]) {
  const steps = states.map((output, at) => [`step_${at + 1}`, { output }] as const);
  const flow = await writtenFlow(text, { start: { output: { finished: false } }, ...Object.fromEntries(steps) });
  const { nodes } = await flow.runRow({ q: 'x' });
  const told = nodes.flatMap(({ node, warnings = [] }) => warnings.map((warning) => `${node}: ${warning}`));
  return { told, output: nodes.find(({ node }) => node === 'search')?.output };
}

test('a loop that had ended and whose last node takes it back is told, and is not answered', async () => {
  const words = `loop 'search' had ended, and "finished" of the state that follows is not true: it has not ended`;
  expect(await run(ended, { finished: false }, { finished: false })).toEqual({
    told: [`step_2: ${words}`],
    output: { status: 'unfinished', answer: null, function_results: [] },
  });
  expect((await run({ finished: false }, ended, null)).told).toEqual([`step_3: ${words}`]);
  expect(await run(ended, ended, ended)).toEqual({ told: [], output: { status: 'answered', answer: 'yes' } });
});
