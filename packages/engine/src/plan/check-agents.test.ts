// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { agentsAsLastNodes, checkAgents } from './check-agents.ts';

function read(text: string) {
  const { spec } = parseFlow({ path: 'f.yaml', text }, { nodeTypes: ['agent', 'python'] });
  if (spec === undefined) throw new Error('bug: the flow of a test is a mapping');
  return spec;
}

/** What is told of an agent with these keys. */
function told(keys: string): readonly string[] {
  const found = checkAgents(
    read(`nodes:\n- {name: bot, type: agent, source: {type: code, path: a.jinja2}, ${keys}}\n`),
  );
  return found.map(({ code, message, help }) => `${code}: ${message}${help === undefined ? '' : ` (${help})`}`);
}

test.for([
  'tools: []',
  'tools: tools.yaml',
  'format: tools',
  'format: functions',
  'format: react',
  'max_iterations: 0',
  'max_iterations: 100',
  'max_time: 0.5',
  'max_time: 3',
  'budget: {tokens: 5}',
  'early_stopping: force',
  'early_stopping: generate',
  'handle_parsing_errors: false',
  'handle_parsing_errors: say it again',
  'on_tool_error: fail',
  'on_tool_error: feed_back',
  'tool_error_text: no',
  'unknown_tool: no such tool',
  'match_names: exact',
  'match_names: any_case',
  'trim_intermediate_steps: -1',
  'return_intermediate_steps: true',
  'comment: 3',
  'constructor: 3',
  'toString: {}',
  'inputs: {question: hello}',
])('an agent with %s is right', (keys) => {
  expect(told(keys)).toEqual([]);
});

test.for([
  ['tools: 3', 'a list of tools, or the path of a file, not 3'],
  ['tools: {a: 1}', "a list of tools, or the path of a file, not {'a': 1}"],
  ['format: xml', '"tools" or "functions" or "react", not "xml"'],
  ['format: tool', '"tools" or "functions" or "react", not "tool" (did you mean "tools"?)'],
  ['format: null', '"tools" or "functions" or "react", not None'],
  ['max_iterations: -1', 'a whole number from 0 to 100, not -1'],
  ['max_iterations: 101', 'a whole number from 0 to 100, not 101'],
  ['max_iterations: 2.5', 'a whole number from 0 to 100, not 2.5'],
  ['max_iterations: many', 'a whole number from 0 to 100, not "many"'],
  ['max_time: 0', 'a number of seconds above 0, not 0'],
  ['max_time: -1', 'a number of seconds above 0, not -1'],
  ['max_time: soon', 'a number of seconds above 0, not "soon"'],
  ['budget: 5', 'a mapping with tokens, cost or seconds, not 5'],
  ['budget: null', 'a mapping with tokens, cost or seconds, not None'],
  ['early_stopping: forced', '"force" or "generate", not "forced" (did you mean "force"?)'],
  ['handle_parsing_errors: 3', 'true, false or a text, not 3'],
  ['on_tool_error: ignore', '"fail" or "feed_back", not "ignore"'],
  ['tool_error_text: 3', 'a text, not 3'],
  ['unknown_tool: [a]', "a text, not ['a']"],
  ['match_names: loose', '"exact" or "any_case", not "loose"'],
  ['trim_intermediate_steps: 1.5', 'a whole number, not 1.5'],
  ['return_intermediate_steps: "yes"', 'true or false, not "yes"'],
])('an agent with %s is wrong', ([keys = '', expected]) => {
  const key = keys.split(':')[0];
  expect(told(keys)).toEqual([`FLOW_WRONG_VALUE: "${key}" of agent "bot" must be ${expected}`]);
});

test('what an agent cannot be, where it is written', () => {
  const spec = read(`nodes:
- name: bot
  type: agent
  aggregation: true
  max_iterations:
  inputs: {tools: [], functions: [], scratchpad: x, own: 1}
`);
  expect(formatDiagnostics(checkAgents(spec))).toBe(`f.yaml:2:9 error FLOW_AGENT agent "bot" has no template
    - name: bot
            ~~~
    help: write \`source: {type: code, path: agent.jinja2}\`: what stands before the calls and their results
f.yaml:4:16 error FLOW_AGENT agent "bot" cannot be an aggregation node
      aggregation: true
                   ~~~~
    help: an agent belongs to one row
f.yaml:5:18 error FLOW_LOOP_UNBOUNDED agent "bot" has no bound
      max_iterations:
                     ~
    help: for instance \`max_iterations: 15\`
f.yaml:6:19 error FLOW_AGENT agent "bot" gives its model "tools" itself
      inputs: {tools: [], functions: [], scratchpad: x, own: 1}
                      ~~
    help: write them under \`tools\` of the node
f.yaml:6:34 error FLOW_AGENT agent "bot" gives its model "functions" itself
      inputs: {tools: [], functions: [], scratchpad: x, own: 1}
                                     ~~
    help: write them under \`tools\` of the node
f.yaml:6:50 error FLOW_AGENT agent "bot" gives its model "scratchpad" itself
      inputs: {tools: [], functions: [], scratchpad: x, own: 1}
                                                     ~
    help: give the input another name
6 errors`);
});

test('an agent gives no state that a loop could go on from', () => {
  const loop = (last: string): string => `nodes:
- {name: begin, type: python, source: {path: x.py}}
loops:
- name: search
  times: 2
  state: "\${begin.output}"
  nodes:
  - {name: bot, type: agent, source: {path: a.jinja2}, inputs: {s: "\${loop.state}"}}
${last}`;
  expect(formatDiagnostics(agentsAsLastNodes(read(loop(''))))).toBe(
    `f.yaml:8:23 error FLOW_AGENT agent "bot" is the last node of loop "search", which gives the next state
      - {name: bot, type: agent, source: {path: a.jinja2}, inputs: {s: "\${loop.state}"}}
                          ~~~~~
    help: let a python node after it make the state of \`\${bot.output}\`, {status, answer, function_results}
1 error`,
  );
  expect(agentsAsLastNodes(read(loop('  - {name: next, type: python, source: {path: y.py}}\n')))).toEqual([]);
});
