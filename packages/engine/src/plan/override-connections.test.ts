import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { specOf } from './flow-text.fixture.ts';
import { overrideConnections } from './override-connections.ts';

const flow = `nodes:
- {name: ask, type: llm, connection: one, inputs: {deployment_name: a, temperature: "0"}}
- {name: code, type: python, inputs: {conn: one, n: 5}}
loops:
- name: turns
  times: 2
  state: "\${code.output}"
  nodes:
  - {name: agent, type: llm, connection: one, inputs: {state: "\${loop.state}"}}
  - {name: function, type: python, inputs: {message: "\${agent.output}"}}
`;

const none: ReadonlySet<string> = new Set();

test.for([
  { override: 'ask.connection=two', gives: 'ask two {"deployment_name":"a","temperature":"0"}' },
  { override: 'ask.deployment_name=b', gives: 'ask one {"deployment_name":"b","temperature":"0"}' },
  { override: 'ask.model=m', gives: 'ask one {"deployment_name":"a","temperature":"0","model":"m"}' },
  { override: 'code.conn=two', gives: 'code undefined {"conn":"two","n":5}' },
  { override: 'agent.connection=two', gives: `agent two {"state":"\${loop.state}"}` },
  {
    override: 'ask.temperature=1',
    gives: `Unsupported llm connection overwrite keys: {'temperature'}, only ['connection', 'deployment_name', 'model'] are supported.`,
  },
  {
    override: 'code.n=1',
    gives: `Unsupported llm connection overwrite keys: {'n'}, only ['connection', 'deployment_name', 'model'] are supported.`,
  },
  { override: 'aks.model=m', gives: 'Node aks not found in flow' },
])('$override gives $gives', ({ override, gives }) => {
  const [, node = '', key = '', value = ''] = /^([^.]+)\.([^=]+)=(.*)$/.exec(override) ?? [];
  const { spec, diagnostics } = overrideConnections(specOf(flow), [{ node, key, value }], none);
  const nodes = [...spec.nodes, ...spec.loops.flatMap((loop) => loop.nodes)];
  const found = nodes.find(({ name }) => name === node);
  const told = diagnostics.map((found) => promptFlowError(found)?.message);
  expect(told[0] ?? `${found?.name} ${found?.connection} ${JSON.stringify(found?.inputs)}`).toBe(gives);
});

test('where nothing is overridden the flow is the same, and nothing is said', () => {
  const spec = specOf(flow);
  expect(overrideConnections(spec, [], none)).toEqual({ spec, diagnostics: [] });
  expect(overrideConnections(spec, [], none).spec).toBe(spec);
});

test('several at once, one of a last step; each that fits nothing is told with what is near', () => {
  const withLast = specOf(`${flow}  on_exhausted: finalize
  finalize: {name: last, type: llm, connection: one, inputs: {state: "\${loop.state}"}}
`);
  const { spec, diagnostics } = overrideConnections(
    withLast,
    [
      { node: 'last', key: 'connection', value: 'two' },
      { node: 'ask', key: 'model', value: 'm' },
      { node: 'ask', key: 'connection', value: 'three' },
      { node: 'laast', key: 'model', value: 'm' },
      { node: 'zzzzzzzz', key: 'model', value: 'm' },
      { node: 'code', key: 'connection', value: 'two' },
    ],
    none,
  );
  expect(spec.loops[0]?.finalize?.connection).toBe('two');
  expect(spec.nodes[0]).toMatchObject({ connection: 'three', inputs: { model: 'm' } });
  expect(diagnostics.map(({ message, help }) => `${message} | ${help}`)).toEqual([
    '"laast.model" is to be overridden and there is no node "laast" | did you mean "last"?',
    '"zzzzzzzz.model" is to be overridden and there is no node "zzzzzzzz" | the nodes are ask, code, agent, function, last',
    '"connection" of node "code" cannot be overridden | an llm node and a prompty take connection, deployment_name and model; a python node its inputs that name a connection',
  ]);
});
