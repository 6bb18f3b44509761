// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { NodeSpec } from '../flow/flow-spec.ts';
import { specOf, toldBy } from './flow-text.fixture.ts';
import { unrollLoops } from './unroll-loops.ts';

const pair = `
nodes:
- {name: start, type: python}
loops:
- name: search
  times: 2
  state: \${start.output}
  nodes:
  - name: agent
    type: llm
    source: {path: agent.jinja2}
    inputs: {input: "\${loop.state}", query: "\${loop.state.query}", round: "\${loop.iteration}", other: "\${start.output.x}"}
  - name: function
    type: python
    inputs: {state: "\${loop.state}", message: "\${agent}", text: "a \${agent.output}"}
`;

/** What an iteration adds to a node. */
function shortOf({ name, inputs, activate, feedBack, instance }: NodeSpec) {
  const guard = activate === undefined ? '' : ` when ${activate.when} is ${activate.is}`;
  const given = Object.entries(inputs).map(([input, value]) => `${input}=${value}`);
  const back = feedBack === undefined ? '' : ` feeds back ${feedBack.stateInput}, ${feedBack.messageInput}`;
  return `${name}(${given.join(', ')})${guard}${back} #${instance?.iteration ?? '-'}`;
}

test('a loop of two iterations', () => {
  const { spec, diagnostics } = unrollLoops(specOf(pair));
  expect(diagnostics).toEqual([]);
  expect(spec.loops).toEqual([]);
  expect(spec.nodes.map(shortOf)).toEqual([
    'start() #-',
    'agent_1(input=${start.output}, query=${start.output.query}, round=1, other=${start.output.x}) when ${start.output.finished} is false #1',
    'function_1(state=${start.output}, message=${agent_1.output}, text=a ${agent.output}) #1',
    'agent_2(input=${function_1.output}, query=${function_1.output.query}, round=2, other=${start.output.x}) when ${function_1.output.finished} is false #2',
    'function_2(state=${function_1.output}, message=${agent_2.output}, text=a ${agent.output}) #2',
    'search(state=${function_2.output}, until=finished, on_exhausted=unfinished, loop=search) #0',
  ]);
});

test('a condition that asks a node of the same iteration stands in place of the guard', () => {
  const text = pair.replace(
    '  - name: function',
    '  - {name: check, type: python, activate: {when: "${agent.output.ok}", is: true}, inputs: {m: "${agent.output}"}}\n  - name: function',
  );
  const { spec, diagnostics } = unrollLoops(specOf(text));
  expect(diagnostics).toEqual([]);
  expect(spec.nodes.map(shortOf).filter((node) => node.startsWith('check'))).toEqual([
    'check_1(m=${agent_1.output}) when ${agent_1.output.ok} is true #1',
    'check_2(m=${agent_2.output}) when ${agent_2.output.ok} is true #2',
  ]);
});

test('instances keep what the author wrote, and where', () => {
  const { nodes } = unrollLoops(specOf(pair)).spec;
  expect(nodes[3]).toMatchObject({
    type: 'llm',
    source: { type: 'code', path: 'agent.jinja2' },
    path: ['loops', 0, 'nodes', 0],
    instance: { loop: 'search', family: 'agent', iteration: 2 },
  });
  expect(nodes.at(-1)).toMatchObject({
    type: 'python',
    source: { type: 'package', tool: 'unroll.loop_end' },
    path: ['loops', 0],
    instance: { loop: 'search', family: 'search', iteration: 0 },
  });
});

test('finalize, a state inside an output, another name for the end, an error that is fed back', () => {
  const { spec, diagnostics } = unrollLoops(
    specOf(`
nodes:
- {name: start, type: python}
loops:
- name: search
  times: 1
  state: \${start.output.first}
  until: done
  on_exhausted: finalize
  on_error: feed_back
  nodes:
  - {name: agent, type: llm, inputs: {input: "\${loop.state.a}"}}
  - {name: function, type: python, inputs: {state: "\${loop.state}", message: "\${agent.output}"}}
  finalize: {name: answer, type: llm, inputs: {state: "\${loop.state}", said: "\${agent.output}", rounds: "\${loop.iteration}"}}
`),
  );
  expect(diagnostics).toEqual([]);
  expect(spec.nodes.map(shortOf)).toEqual([
    'start() #-',
    'agent_1(input=${start.output.first.a}) when ${start.output.first.done} is false #1',
    'function_1(state=${start.output.first}, message=${agent_1.output}) feeds back state, message #1',
    'answer(state=${function_1.output}, said=${agent_1.output}, rounds=1) when ${function_1.output.done} is false #0',
    'search(state=${function_1.output}, until=done, on_exhausted=finalize, loop=search, final=${answer.output}) #0',
  ]);
});

test('a group of one, and of three', () => {
  const { nodes } = unrollLoops(
    specOf(`
nodes: [{name: s, type: python}]
loops:
- {name: one, times: 2, state: "\${s.output}", nodes: [{name: step, type: python, inputs: {x: "\${loop.state}"}}]}
- name: three
  times: 1
  state: \${one.output}
  nodes:
  - {name: a, type: python}
  - {name: b, type: python, inputs: {x: "\${a.output.k}"}}
  - {name: c, type: python, inputs: {x: "\${loop.state}", y: "\${b.output}", z: "\${step_2.output}"}}
`),
  ).spec;
  expect(nodes.map(shortOf)).toEqual([
    's() #-',
    'step_1(x=${s.output}) #1',
    'step_2(x=${step_1.output}) #2',
    'one(state=${step_2.output}, until=finished, on_exhausted=unfinished, loop=one) #0',
    'a_1() when ${one.output.finished} is false #1',
    'b_1(x=${a_1.output.k}) when ${one.output.finished} is false #1',
    'c_1(x=${one.output}, y=${b_1.output}, z=${step_2.output}) #1',
    'three(state=${c_1.output}, until=finished, on_exhausted=unfinished, loop=three) #0',
  ]);
});

/** Lines 1 to 3 are the start node; the loop begins on line 4. */
function loopText(lines: string, last = '{name: f, type: python, inputs: {s: "${loop.state}"}}', extra = ''): string {
  return `nodes:\n- {name: start, type: python}\n${extra === '' ? '#' : extra}\nloops:\n- name: go\n  times: 3\n${lines}\n  nodes:\n  - ${last}\n`;
}

const state = '  state: ${start.output}';
const stateHelp = 'let a node give {"finished": false, …} and write `state: ${node.output}`';
const takenHelp =
  'rename one of them; a loop makes a node <name>_<iteration> of each of its nodes and one named after itself';

test.for([
  {
    text: loopText('  state: {}'.replace('{}', 'now')),
    told: [`7:10 FLOW_LOOP_STATE the first state of loop "go" is a literal | ${stateHelp}`],
  },
  {
    text: loopText('  state: ${inputs.q}'),
    told: [`7:10 FLOW_LOOP_STATE the first state of loop "go" is an input of the flow | ${stateHelp}`],
  },
  {
    text: loopText('  state: ${start.log}'),
    told: [`7:10 FLOW_LOOP_STATE the first state of loop "go" is no output of a node | ${stateHelp}`],
  },
  {
    text: loopText(state, undefined, '- {name: f_2, type: python}'),
    told: [`9:12 FLOW_LOOP_NAME_TAKEN the name "f_2" of iteration 2 of node "f" of loop "go" is taken | ${takenHelp}`],
  },
  {
    text: loopText(state, undefined, '- {name: go, type: python}'),
    told: [`5:9 FLOW_LOOP_NAME_TAKEN the name "go" of the result of loop "go" is taken | ${takenHelp}`],
  },
  {
    text: loopText(state, undefined, '- {name: f, type: python}'),
    told: [`9:12 FLOW_LOOP_NAME_TAKEN the name "f" of node "f" of loop "go" is taken | ${takenHelp}`],
  },
  {
    text: loopText(state, undefined, '- {name: loop, type: python}'),
    told: [
      '3:10 FLOW_LOOP_RESERVED_NAME in a flow with loops nothing may be called "loop" | `${loop.state}` is the state of the loop a node stands in',
    ],
  },
  {
    text: loopText(state, '{name: f, type: python, inputs: {s: "${loop.state.x}", t: "${loop.stat}"}}'),
    told: [
      '9:63 FLOW_LOOP_REFERENCE ${loop.stat} is nothing that loop "go" has | did you mean "state"?',
      '9:12 FLOW_LOOP_LAST_NODE "f", the last node of loop "go", does not take the state | bind one of its inputs to `${loop.state}`: it hands the state on when the others are bypassed',
    ],
  },
  {
    text: loopText(
      state,
      '{name: f, type: python, aggregation: true, activate: {when: 1, is: 1}, inputs: {s: "${loop.state}"}}',
    ),
    told: [
      '9:48 FLOW_LOOP_ACTIVATE node "f" of loop "go" has a condition on something else than a node before it | nodes of a loop run until the loop has ended, the last one always; a condition may ask a node of the same iteration',
      '9:42 FLOW_LOOP_AGGREGATION node "f" of loop "go" cannot be an aggregation node | a loop belongs to one row; aggregate outside of it',
    ],
  },
  {
    text: loopText(`${state}\n  on_error: feed_back`),
    told: [
      '8:13 FLOW_FEED_BACK what "f" feeds back cannot be told: which of its inputs is the state, which the message | bind exactly one input to `${loop.state}` and exactly one to the output of another node of the loop',
    ],
  },
  {
    text: loopText(
      `${state}\n  on_error: feed_back`,
      '{name: a, type: llm}\n  - {name: f, type: python, inputs: {code: "${loop.state}", m: "${a.output}"}}',
    ),
    told: [
      '11:38 FLOW_FEED_BACK with "on_error: feed_back" no input of "f" may be called "code" | the unrolled flow needs the names code, tool, state_input, message_input',
    ],
  },
  {
    text: loopText(`${state}\n  on_exhausted: finalize`),
    told: [
      '8:17 FLOW_LOOP_FINALIZE loop "go" has no node "finalize" | give the loop a node under `finalize`, or another `on_exhausted`',
    ],
  },
  {
    text: loopText(`${state}\n  finalize: {name: z, type: llm}`),
    told: [
      '8:3 FLOW_LOOP_FINALIZE node "z" would never run: loop "go" has "on_exhausted: unfinished" | write `on_exhausted: finalize`, or take the node out',
    ],
  },
])('mistakes of the loop in $text', ({ text, told }) => {
  expect(toldBy(unrollLoops(specOf(text)).diagnostics)).toEqual(told);
});

test('a taken name says who has it', () => {
  const { diagnostics } = unrollLoops(specOf(loopText(state, undefined, '- {name: f_2, type: python}')));
  expect(diagnostics[0]?.notes).toEqual([{ message: '"f_2" is node "f_2"', span: expect.any(Object) }]);
});

test.for([
  { inputs: '{code: f.py, state_input: s, message_input: m, s: 1, m: 2}', told: [] },
  {
    inputs: '{code: f.py, state_input: t, s: 1}',
    told: [
      '2:110 FLOW_FEED_BACK node "f" has no input "t" | state_input is the name of one of the other inputs',
      '2:10 FLOW_FEED_BACK node "f" lacks the input "message_input" | message_input is the name of one of the other inputs',
    ],
  },
])('the unrolled form of a node that feeds back, with inputs $inputs', ({ inputs, told }) => {
  const text = `nodes:\n- {name: f, type: python, source: {type: package, tool: unroll.feed_back}, inputs: ${inputs}}\n`;
  const { spec, diagnostics } = unrollLoops(specOf(text));
  expect(toldBy(diagnostics)).toEqual(told);
  expect(spec.nodes[0]?.source).toEqual({ type: 'code', path: 'f.py' });
});
