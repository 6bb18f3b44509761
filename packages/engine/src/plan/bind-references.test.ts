// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { bindReferences } from './bind-references.ts';
import { specOf, toldBy } from './flow-text.fixture.ts';
import type { Binding } from './plan.ts';
import { unrollLoops } from './unroll-loops.ts';

/** `c < a b?` reads a through an input and looks at b in its condition; `*` marks an aggregation node. */
function flowOf(notation: string, outputs = 'o: {type: string, reference: x}'): string {
  const nodes = notation.split(', ').map((text) => {
    const [written = '', sources = ''] = text.split(' < ');
    const reads = sources.split(' ').filter((source) => source !== '' && !source.endsWith('?'));
    const looksAt = sources.split(' ').find((source) => source.endsWith('?'));
    const inputs = reads.map((source, index) => `i${index}: "\${${source}}"`);
    return [
      `- name: ${written.replace('*', '')}`,
      '  type: python',
      ...(written.endsWith('*') ? ['  aggregation: true'] : []),
      `  inputs: {${inputs.join(', ')}}`,
      ...(looksAt === undefined ? [] : [`  activate: {when: "\${${looksAt.slice(0, -1)}}", is: true}`]),
    ].join('\n');
  });
  return `inputs:\n  q: {type: string}\noutputs:\n  ${outputs}\nnodes:\n${nodes.join('\n')}\n`;
}

function bind(text: string) {
  return bindReferences(unrollLoops(specOf(text)).spec);
}

test.for([
  { flow: 'a', order: 'a' },
  { flow: 'c < b, b < a, a', order: 'a; b < 0; c < 1' },
  { flow: 'a < b.output.x inputs.q, b', order: 'b; a < 0' },
  { flow: 'a < c?, b, c', order: 'b; c; a < 1' },
  { flow: 'm* < a, n < a, a', order: 'a; m < 0; n < 0' },
  { flow: 'm* < a n, n* < m?, a', order: undefined },
  { flow: 'a < b b b?, b', order: 'b; a < 0' },
])('the plan of "$flow" is $order', ({ flow, order }) => {
  const { plan } = bind(flowOf(flow));
  const written = plan?.nodes.map(({ name, dependencies }) =>
    dependencies.length === 0 ? name : `${name} < ${dependencies.join(' ')}`,
  );
  expect(written?.join('; ')).toBe(order);
});

test('ids, dependents and bindings of a plan', () => {
  const { plan, diagnostics } = bind(
    flowOf('b < a.output.k[0] inputs.q a?, a', 'o: {type: string, reference: "${b.output[\'x\']}"}'),
  );
  expect(toldBy(diagnostics)).toEqual([
    '4:32 warning FLOW_REFERENCE_SECTION output "o" gives the whole output of the node: "output[\'x\']" is ignored | a property stands after a second point: `${node.output.property}`',
  ]);
  const [a, b] = plan?.nodes ?? [];
  expect([a?.id, a?.dependents, b?.dependencies]).toEqual([0, [1], [0]]);
  expect(b?.inputs.map(({ name, binding }) => [name, short(binding)])).toEqual([
    ['i0', '0 k[0]'],
    ['i1', 'inputs.q'],
  ]);
  expect([b?.activate?.text, b?.activate && short(b.activate.when)]).toEqual(['${a}', '0 ']);
  expect(plan?.outputs[0]?.binding).toEqual({ kind: 'node-output', node: 1, nodeName: 'b', path: [], pathText: '' });
  expect([plan?.name, plan?.flowId]).toEqual(['flow', 'default_flow_id']);
});

function short(binding: Binding): string {
  if (binding.kind === 'literal') return String(binding.value);
  return binding.kind === 'flow-input' ? `inputs.${binding.input}` : `${binding.node} ${binding.pathText}`;
}

test('retry and timeout are in milliseconds, and what a node type sees', () => {
  const { plan } = bind(
    'nodes:\n- {name: a, type: llm, provider: x, retry: {times: 2, wait_seconds: 0.5}, timeout: 3, inputs: {x: 1, y: "${a2.output.k}", z: "${inputs.q}"}}\n- {name: a2, type: python}\ninputs: {q: {type: string}}\n',
  );
  const node = plan?.nodes[1];
  expect([node?.retry, node?.timeoutMs]).toEqual([{ times: 2, waitMs: 500 }, 3000]);
  expect(node?.definition).toMatchObject({
    name: 'a',
    type: 'llm',
    settings: { provider: 'x', retry: { times: 2, wait_seconds: 0.5 } },
    inputs: {
      x: { kind: 'literal', value: 1 },
      y: { kind: 'node-output', node: 'a2', path: 'k' },
      z: { kind: 'flow-input', input: 'q' },
    },
  });
  expect(node?.definition.locate(['inputs', 'y'])).toMatchObject({ start: 111 });
});

test('the loops of a plan', () => {
  const { plan } = bind(
    'nodes: [{name: s, type: python}]\nloops:\n- {name: l, times: 2, until: done, state: "${s.output}", nodes: [{name: a, type: llm}, {name: f, type: python, inputs: {s: "${loop.state}"}}]}\n',
  );
  expect(plan?.nodes.map(({ name }) => name)).toEqual(['s', 'a_1', 'f_1', 'a_2', 'f_2', 'l']);
  expect(plan?.loops).toEqual([{ name: 'l', times: 2, until: 'done', families: ['a', 'f'], endNode: 5 }]);
});

const invalid = 'Invalid node definitions found in the flow graph.';

test.for([
  {
    flow: 'a < nope',
    told: ['8:16 FLOW_UNKNOWN_NODE there is no node "nope" | the nodes are a'],
    original: `NodeReferenceNotFound ${invalid} Node 'a' references a non-existent node 'nope' in your flow. Please review your flow to ensure that the node name is accurately specified.`,
  },
  {
    flow: 'b, a < nodes.b.output.x',
    told: ['11:16 FLOW_UNKNOWN_NODE there is no node "nodes" | did you mean `${b.output.x}`?'],
    original: undefined,
  },
  {
    flow: 'n1, n2, n3, n4, n5, n6, n7, a < nope',
    told: ['29:16 FLOW_UNKNOWN_NODE there is no node "nope" | the nodes are n1, n2, n3, n4, n5, n6, n7, a'],
    original: undefined,
  },
  {
    flow: 'n1, n2, n3, n4, n5, n6, n7, n8, a < nope',
    told: ['32:16 FLOW_UNKNOWN_NODE there is no node "nope" | the nodes are n1, n2, n3, n4, n5, n6, n7, n8, …'],
    original: undefined,
  },
  {
    flow: 'a < input.x',
    told: ['8:16 FLOW_UNKNOWN_NODE there is no node "input" | did you mean `${inputs.x}`, an input of the flow?'],
    original: undefined,
  },
  {
    flow: 'a < inptus.x',
    told: ['8:16 FLOW_UNKNOWN_NODE there is no node "inptus" | did you mean `${inputs.x}`, an input of the flow?'],
    original: undefined,
  },
  {
    flow: 'agent, b < agnet.output.x',
    told: ['11:16 FLOW_UNKNOWN_NODE there is no node "agnet" | did you mean "agent"?'],
    original: undefined,
  },
  {
    flow: 'a < q',
    told: ['8:16 FLOW_UNKNOWN_NODE there is no node "q" | the input of that name is `${inputs.q}`'],
    original: undefined,
  },
  {
    flow: 'a < loop.state',
    told: [
      '8:16 FLOW_UNKNOWN_NODE "${loop.state}" means something only in the nodes of a loop | outside, `${<loop>.output}` is its result',
    ],
    original: undefined,
  },
  {
    flow: 'a < inputs.r inputs.q.x',
    told: [
      '8:16 FLOW_UNKNOWN_INPUT the flow has no input "r" | the inputs are q',
      '8:35 FLOW_UNKNOWN_INPUT the flow has no input "q.x" | `${inputs.q}` is given as a whole: take it apart in the node',
    ],
    original: `InputReferenceNotFound ${invalid} Node 'a' references flow input 'r' which is not defined in your flow. To resolve this issue, please review your flow, ensuring that you either add the missing flow inputs or adjust node reference to the correct flow input.`,
  },
  {
    flow: 'a, a',
    told: ['9:9 FLOW_DUPLICATE_NODE two nodes are called "a" | rename one of them'],
    original: `DuplicateNodeName ${invalid} Node with name 'a' appears more than once in the node definitions in your flow, which is not allowed. To address this issue, please review your flow and either rename or remove nodes with identical names.`,
  },
  {
    flow: 'a < b, b < a?, c < b, d',
    told: [
      '8:16 FLOW_CYCLE nodes wait for each other in a circle: a -> b -> a | each waits for the output of the next; cut one of the arrows, or repeat the nodes with `loops`',
    ],
    original: `NodeCircularDependency ${invalid} Node circular dependency has been detected among the nodes in your flow. Kindly review the reference relationships for the nodes ['a', 'b', 'c'] and resolve the circular reference issue in the flow.`,
  },
  {
    flow: 'm*, a < m',
    told: [
      '12:16 FLOW_AGGREGATION "a" runs once a row and cannot read the aggregation node "m" | aggregation nodes run after all rows: set `aggregation: true` on the reader too',
    ],
    original: `InvalidNodeReference ${invalid} Non-aggregate node 'a' cannot reference aggregate nodes {'m'}. Please review and rectify the node reference.`,
  },
  {
    flow: 'a, m* < a?',
    told: [
      '13:20 FLOW_AGGREGATION the condition of the aggregation node "m" looks at "a", which runs once a row | such a condition may only look at aggregation nodes',
    ],
    original: `InvalidNodeReference ${invalid} Non-aggregation node 'a' cannot be referenced in the activate config of the aggregation node 'm'. Please review and rectify the node reference.`,
  },
])('"$flow" is refused', ({ flow, told, original }) => {
  const { plan, diagnostics } = bind(flowOf(flow));
  expect(plan).toBeUndefined();
  expect(toldBy(diagnostics)).toEqual(told);
  const promptFlow = diagnostics[0] && promptFlowError(diagnostics[0]);
  if (original !== undefined) expect(`${promptFlow?.code} ${promptFlow?.message}`).toBe(original);
});

test.for([
  { format: 'openai-vision', nodes: 'b < a, a', reads: 'basic', told: 1 },
  { format: 'openai-vision', nodes: 'b < a?, a', reads: 'basic', told: 1 },
  { format: 'openai-vision', nodes: 'a, c, b < a c', reads: 'openai-vision', told: 0 },
  { format: 'basic', nodes: 'b < a, a', reads: 'basic', told: 0 },
] as const)('rows of "$nodes" with $format read images as $reads', ({ format, nodes, reads, told }) => {
  const { plan, diagnostics } = bind(`message_format: ${format}\n${flowOf(nodes)}`);
  expect([plan?.messageFormat, plan?.writtenFormat]).toEqual([reads, format]);
  expect(diagnostics.filter(({ code }) => code === 'FLOW_NODE_ORDER')).toHaveLength(told);
});

test('a node before one it reads is told where images are read otherwise for it', () => {
  const { diagnostics } = bind(`message_format: openai-vision\n${flowOf('b < a, a')}`);
  expect(formatDiagnostics(diagnostics)).toMatchInlineSnapshot(`
    "flows/my-flow/flow.dag.yaml:9:16 warning FLOW_NODE_ORDER "b" stands before "a", which it reads: images are read and written as with \`message_format: basic\`
          inputs: {i0: "\${a}"}
                       ~~~~~~
        help: put "b" behind "a"; Prompt flow forgets the format of a flow whose nodes it has to sort
        flows/my-flow/flow.dag.yaml:1:17 note: the format that is forgotten, except for literals
    1 warning"
  `);
});

test('a flow with a loop keeps its message format', () => {
  const text = [
    'message_format: openai-vision',
    'nodes:',
    '- {name: b, type: python, inputs: {x: "${l.output}"}}',
    '- {name: s, type: python}',
    'loops:',
    '- name: l',
    '  state: ${s.output}',
    '  times: 1',
    '  until: done',
    '  nodes: [{name: f, type: python, inputs: {x: "${loop.state}"}}]',
    '',
  ].join('\n');
  expect(bind(text).plan?.messageFormat).toBe('openai-vision');
});

test('every arrow of a cycle has its place', () => {
  const { diagnostics } = bind(flowOf('a < b, b < c?, c < a.output.x'));
  expect(
    diagnostics[0]?.notes?.map(({ message, span }) => [message, span?.file.text.slice(span.start, span.end)]),
  ).toEqual([
    ['"a" waits for "b" through its input "i0"', '"${b}"'],
    ['"b" waits for "c" through its condition', '"${c}"'],
    ['"c" waits for "a" through its input "i0"', '"${a.output.x}"'],
  ]);
});

test('a section other than output fails the node, not the flow', () => {
  const { plan, diagnostics } = bind(flowOf('a, b < a.output[0] a.log.x, c < a.output[0'));
  expect(toldBy(diagnostics)).toEqual([
    '11:16 FLOW_REFERENCE_SECTION a node has an output and no "output[0]" | a property needs a second point: `${a.output.[0]}`',
    '11:38 FLOW_REFERENCE_SECTION a node has an output and no "log" | did you mean `${a.output.log.x}`?',
    '14:16 FLOW_REFERENCE_SECTION a node has an output and no "output[0" | a property needs a second point: `${a.output.[0]}`',
  ]);
  expect(diagnostics[0] && promptFlowError(diagnostics[0])).toEqual({
    code: 'UnsupportedReference',
    message:
      "Flow execution failed. The section 'output[0]' of reference is currently unsupported. Please specify the output part of the node 'a'.",
    node: 'b',
  });
  expect(plan?.nodes[1]?.inputs[0]?.binding).toMatchObject({ unsupportedSection: 'output[0]' });
});

test('a condition on an input that is not declared fails the node, not the flow', () => {
  const { plan, diagnostics } = bind(flowOf('a < inputs.r?'));
  expect(toldBy(diagnostics)).toEqual(['9:20 FLOW_UNKNOWN_INPUT the flow has no input "r" | the inputs are q']);
  expect(diagnostics[0] && promptFlowError(diagnostics[0])).toEqual({
    code: 'InputNotFound',
    message:
      "Flow execution failed. The input 'r' is not found from flow inputs 'q'. Please check the input name and try again.",
    node: 'a',
  });
  expect(plan).toBeDefined();
});

const notFound = (output: string, what: string) =>
  `OutputReferenceNotFound The output '${output}' for flow is incorrect. The output '${output}' references non-existent ${what} carefully review your flow and correct the reference definition for the output in question.`;

test.for([
  {
    output: 'o: {type: string}',
    told: [
      '4:3 FLOW_EMPTY_REFERENCE output "o" does not say where its value comes from | for instance `reference: ${node.output}`',
    ],
    original:
      "EmptyOutputReference The output 'o' for flow is incorrect. The reference is not specified for the output 'o' in the flow. To rectify this, ensure that you accurately specify the reference in the flow.",
  },
  {
    output: 'o: {type: string, reference: "${inputs.p}"}',
    told: ['4:32 FLOW_UNKNOWN_INPUT the flow has no input "p" | the inputs are q'],
    original: notFound('o', "flow input 'p' in your flow. Please"),
  },
  {
    output: 'o: {type: string, reference: "${ a.output}"}',
    told: ['4:32 FLOW_UNKNOWN_NODE there is no node " a" | write it without spaces: `${a.output}`'],
    original: notFound('o', "node ' a' in your flow. To resolve this issue, please"),
  },
  {
    output: 'o: {type: string, reference: "${}"}',
    told: ['4:32 FLOW_UNKNOWN_NODE "${}" names no node | for instance `${node.output}`, `${inputs.name}`'],
    original: undefined,
  },
  {
    output: 'o: {type: string, reference: "${m.output}"}',
    told: [
      '4:32 warning FLOW_OUTPUT_OF_AGGREGATION output "o" refers to the aggregation node "m" and is not given | aggregation nodes run after all rows; log a metric there',
    ],
    original: undefined,
  },
  { output: 'o: {type: string, reference: "${inputs.q}"}', told: [], original: undefined },
])('the output $output', ({ output, told, original }) => {
  const { plan, diagnostics } = bind(flowOf('a, m* < a', output));
  expect(toldBy(diagnostics)).toEqual(told);
  const promptFlow = diagnostics[0] && promptFlowError(diagnostics[0]);
  if (original !== undefined) expect(`${promptFlow?.code} ${promptFlow?.message}`).toBe(original);
  if (output.includes('m.output')) expect(plan?.outputs).toEqual([]);
});

test('a mistake in a loop is told once, where it was written', () => {
  const { diagnostics } = bind(`outputs:
  o: {type: string, reference: "\${a.output}"}
loops:
- name: l
  times: 3
  state: \${nobody.output}
  nodes:
  - {name: a, type: llm, inputs: {s: "\${loop.state}", x: "\${nothing.output}"}}
  - {name: f, type: python, inputs: {s: "\${loop.state}", m: "\${a.output}"}}
`);
  expect(toldBy(diagnostics)).toEqual([
    '6:10 FLOW_UNKNOWN_NODE there is no node "nobody" | the nodes are a_1, f_1, a_2, f_2, a_3, f_3, l',
    '8:58 FLOW_UNKNOWN_NODE there is no node "nothing" | the nodes are a_1, f_1, a_2, f_2, a_3, f_3, l',
    '2:32 FLOW_UNKNOWN_NODE "a" is a node of loop "l", and there is one of each iteration | `${a_3.output}` is that of the last iteration, `${l.output}` the result of the loop',
  ]);
});

test('a slip in the state of a loop is told with what was meant', () => {
  const { diagnostics } = bind(`nodes:
- {name: q, type: python, inputs: {s: "\${lop.state}"}}
loops:
- name: l
  times: 2
  state: \${q.output}
  nodes:
  - {name: f, type: python, inputs: {s: "\${loop.state}", m: "\${lop.state.x}"}}
`);
  expect(toldBy(diagnostics)).toEqual([
    '2:39 FLOW_UNKNOWN_NODE there is no node "lop" | the nodes are q, f_1, f_2, l',
    '8:61 FLOW_UNKNOWN_NODE there is no node "lop" | did you mean `${loop.state.x}`?',
  ]);
});

test.for([
  { input: '"Hello ${inputs.q}!"', told: ['4:39 warning "${inputs.q}" stands inside a longer text'] },
  { input: '["${inputs.q}"]', told: ['4:40 warning "${inputs.q}" stands inside a list or mapping'] },
  { input: '{deep: {er: [1, "${a.output}"]}}', told: ['4:55 warning "${a.output}" stands inside a list or mapping'] },
  { input: '"echo ${HOME} ${a} ${nope.output}"', told: [] },
  { input: '"${inputs.q}"', told: [] },
  { input: '"＄｛inputs.q｝"', told: ['4:39 warning a reference is written in full-width characters'] },
  { input: '"ＡＢＣ：５"', told: [] },
  { input: '"${A.output.schema]"', told: ['4:39 warning "${A.output.schema]" has no "}" at its end'] },
  { input: '"${inputs.q"', told: ['4:39 warning "${inputs.q" has no "}" at its end'] },
  { input: '"${HOME and ${inputs"', told: [] },
  { input: '"{{inputs.q}}"', told: ['4:39 warning "{{inputs.q}}" is no reference'] },
  { input: '"{{ a.output }}"', told: ['4:39 warning "{{ a.output }}" is no reference'] },
  { input: '"{a.output.x}"', told: ['4:39 warning "{a.output.x}" is no reference'] },
  { input: 'inputs.q', told: ['4:39 warning "inputs.q" is no reference'] },
  { input: '$a.output', told: ['4:39 warning "$a.output" is no reference'] },
  { input: '"{{ q }} {{ nope.output }} {{ inputs.q }}"', told: [] },
  { input: 'a.txt', told: [] },
  { input: 'inputs.nope', told: [] },
])('a reference that nobody looks for: $input', ({ input, told }) => {
  const text = `inputs: {q: {type: string}}\nnodes:\n- {name: a, type: python}\n- {name: b, type: python, inputs: {x: ${input}}}\n`;
  const { plan, diagnostics } = bind(text);
  expect(plan).toBeDefined();
  const code = 'FLOW_REFERENCE_IN_TEXT ';
  const rest = / and is given as it is written.*$/;
  expect(toldBy(diagnostics).map((line) => line.replace(code, '').replace(rest, ''))).toEqual(told);
});

test.for([
  { reference: '"「${a.output}」"', told: ['1:40 warning "${a.output}" stands inside a longer text'] },
  { reference: '"＄｛a.output｝"', told: ['1:40 warning a reference is written in full-width characters'] },
  { reference: 'as it is', told: [] },
  { reference: '"${a.output"', told: ['1:40 warning "${a.output" has no "}" at its end'] },
])('an output that is a text in place of a reference: $reference', ({ reference, told }) => {
  const { plan, diagnostics } = bind(
    `outputs: {o: {type: string, reference: ${reference}}}\nnodes:\n- {name: a, type: python}\n`,
  );
  expect(plan).toBeDefined();
  const rest = / and is given as it is written.*$/;
  expect(toldBy(diagnostics).map((line) => line.replace('FLOW_REFERENCE_IN_TEXT ', '').replace(rest, ''))).toEqual(
    told,
  );
});
