// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { bindReferences } from './bind-references.ts';
import { stringifyFlow } from './expand-flow.ts';
import { specOf } from './flow-text.fixture.ts';
import type { Plan } from './plan.ts';
import { unrollLoops } from './unroll-loops.ts';

const agent = `id: f
inputs: {query: {type: string, default: ""}}
outputs:
  answer: {type: string, reference: "\${search.output.answer}"}
nodes:
- {name: start, type: python, source: {path: start.py}, inputs: {query: "\${inputs.query}"}}
loops:
- name: search
  times: 2
  state: \${start.output}
  on_error: feed_back
  on_exhausted: finalize
  nodes:
  - name: agent
    type: llm
    source: {path: agent.jinja2}
    connection: offline
    timeout: 30
    inputs: {temperature: 0.0, input: "\${loop.state}", functions: [{name: find}]}
  - name: function
    type: python
    source: {path: functions.py}
    inputs: {state: "\${loop.state}", message: "\${agent.output}"}
  finalize: {name: sum_up, type: llm, source: {path: sum.jinja2}, inputs: {state: "\${loop.state}"}}
`;

test('a loop as plain nodes', () => {
  expect(stringifyFlow(specOf(agent))).toBe(`id: f
values_open_roles: false
inputs:
  query:
    type: string
    default: ""
outputs:
  answer:
    type: string
    reference: \${search.output.answer}
nodes:
  - name: start
    type: python
    source: { type: code, path: start.py }
    inputs:
      query: \${inputs.query}

  # search: iteration 1 of 2
  - name: agent_1
    type: llm
    source: { type: code, path: agent.jinja2 }
    connection: offline
    activate: { when: "\${start.output.finished}", is: false }
    timeout: 30
    inputs:
      temperature: 0.0
      input: \${start.output}
      functions: &agent_functions
        - name: find
  - name: function_1
    type: python
    source: { type: package, tool: unroll.feed_back }
    inputs:
      code: functions.py
      state_input: state
      message_input: message
      state: \${start.output}
      message: \${agent_1.output}

  # search: iteration 2 of 2
  - name: agent_2
    type: llm
    source: { type: code, path: agent.jinja2 }
    connection: offline
    activate: { when: "\${function_1.output.finished}", is: false }
    timeout: 30
    inputs:
      temperature: 0.0
      input: \${function_1.output}
      functions: *agent_functions
  - name: function_2
    type: python
    source: { type: package, tool: unroll.feed_back }
    inputs:
      code: functions.py
      state_input: state
      message_input: message
      state: \${function_1.output}
      message: \${agent_2.output}

  # search: the bound is reached
  - name: sum_up
    type: llm
    source: { type: code, path: sum.jinja2 }
    activate: { when: "\${function_2.output.finished}", is: false }
    inputs:
      state: \${function_2.output}

  # search: the result
  - name: search
    type: python
    source: { type: package, tool: unroll.loop_end }
    inputs:
      state: \${function_2.output}
      until: finished
      on_exhausted: finalize
      loop: search
      final: \${sum_up.output}
`);
});

const odd = `$schema: x
tags: {b: [1, 2]}
message_format: openai-vision
environment_variables: {A: 012, B: "012", C: yes, D: "2024-01-02", E: 1e3, F: .inf, G: "true", H: 90071992547409931}
additional_includes: [../a]
inputs: {a: {type: list, default: [1.0, ~, "", "1_000", 'a: b', "#x", "line\\nline\\n"], enum: [[1]], is_chat_history: true}}
outputs: {o: {type: list, reference: "\${n.output}", description: d, is_chat_output: true}, p: {type: string, reference: 5}}
nodes:
- name: n
  type: lookup
  index: data/x.jsonl
  aggregation: true
  retry: {times: 1, wait_seconds: 0.5}
  activate: {when: "\${inputs.a}", is: [1.0, {k: ~}]}
  inputs: {x: {}, y: [], "odd key": "$\{x", z: {deep: {er: [ {a: 1} ]}}}
`;

test.for([
  { name: 'a loop', text: agent },
  { name: 'a loop whose errors end it', text: agent.replace('on_error: feed_back', 'on_error: fail') },
  {
    name: 'a package tool that feeds back',
    text: agent.replace('source: {path: functions.py}', 'source: {type: package, tool: my.tool}'),
  },
  { name: 'every key', text: odd },
])('$name: printed and read again it is the same flow', ({ text }) => {
  const once = stringifyFlow(specOf(text));
  const again = stringifyFlow(specOf(once));
  expect(withoutComments(again)).toBe(withoutComments(once));
  expect(meaningOf(once)).toEqual(meaningOf(text));
});

test('what is printed needs nothing but plain nodes', () => {
  const spec = specOf(stringifyFlow(specOf(agent)));
  expect(spec.loops).toEqual([]);
  expect(spec.nodes.some(({ instance, feedBack }) => instance !== undefined || feedBack !== undefined)).toBe(false);
});

/** Which iteration a node is of stands only in a comment, which is not read. */
function withoutComments(text: string): string {
  return text.replaceAll(/^ *#.*\n|^\n/gm, '');
}

/** The plan, but for where it was written and for the loops it came from: what is printed is a Prompt flow. */
function meaningOf(text: string): unknown {
  const { plan, diagnostics } = bindReferences(unrollLoops(specOf(text)).spec);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { file: _file, loops: _loops, isStandard: _isStandard, nodes, ...rest } = plan as Plan;
  return {
    ...rest,
    nodes: nodes.map(({ definition: { locate: _locate, ...definition }, instance: _instance, inputs, ...node }) => ({
      ...node,
      definition,
      inputs: inputs.map(({ name, binding }) => ({ name, binding })),
    })),
  };
}
