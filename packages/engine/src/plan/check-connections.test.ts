// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { checkConnectionDoubts } from './check-connection-doubts.ts';
import { checkConnectionTypes } from './check-connection-types.ts';
import { checkConnections } from './check-connections.ts';
import { checkEnvironment } from './check-environment.ts';
import { brief, oneNode, read } from './checked-flow.fixture.ts';
import { toldBy } from './flow-text.fixture.ts';

test.for([
  ['CustomConnection', 1],
  ['Union[AzureOpenAIConnection, OpenAIConnection]', 1],
  ['typing.Optional[AzureOpenAIConnection]', 1],
  ['AzureOpenAIConnection | OpenAIConnection | None', 1],
  ['Union[AzureOpenAIConnection, str]', 0],
  ['str', 0],
] as const)('a text for a parameter of type %s names %d connections', ([type, count]) => {
  const text = 'nodes:\n- {name: code, type: python, inputs: {c: prod}}\n';
  const { nodes } = read(text, { code: { parameters: [{ name: 'c', required: true, type }] } });
  const connections = { find: () => undefined, names: () => [] };
  expect(checkConnections(nodes, connections).map(({ code }) => code)).toEqual(Array(count).fill('CONNECTION_MISSING'));
});

test('a connection that cannot be found, of a node and of a parameter', () => {
  const text = `nodes:
- {name: ask, type: prompt, connection: ofline}
- {name: code, type: python, connection: offline, inputs: {c: prod, d: offline, e: "\${ask.output}"}}
`;
  const parameters = ['c', 'd', 'e'].map((name) => ({ name, required: true, type: 'AzureOpenAIConnection' }));
  const offline = { name: 'offline', type: 'offline', configs: {}, secrets: {} };
  const connections = { find: (name: string) => (name === 'offline' ? offline : undefined), names: () => ['offline'] };
  const { nodes } = read(text, { code: { parameters } });
  expect(
    formatDiagnostics(checkConnections(nodes, connections)),
  ).toBe(`f.yaml:2:41 error CONNECTION_MISSING there is no connection "ofline" for node "ask"
    - {name: ask, type: prompt, connection: ofline}
                                            ~~~~~~
    help: did you mean "offline"?
f.yaml:3:63 error CONNECTION_MISSING there is no connection "prod" for node "code"
    - {name: code, type: python, connection: offline, inputs: {c: prod, d: offline, e: "\${ask.output}"}}
                                                                  ~~~~
    help: known are "offline"; define it in connections.yaml, with flow connection create, or in environment variables
2 errors`);
});

test.for([
  { given: 'mine', told: [] },
  { given: 'azure', told: [] },
  { given: 'nowhere', told: [] },
  { given: '${inputs.which}', told: [] },
  {
    given: 'offline',
    told: ['CONNECTION_TYPE connection "offline" is of type offline, which the input "to" of node "ask" does not take'],
  },
])('a connection for an input that takes some types: $given', ({ given, told }) => {
  const types: Readonly<Record<string, string>> = { mine: 'open_ai', azure: 'azure_open_ai', offline: 'offline' };
  const { nodes } = read(`inputs: {which: {type: string}}\n${oneNode(`{to: "${given}"}`, 'python')}`, {
    ask: { acceptedConnections: { to: ['open_ai', 'azure_open_ai'] } },
  });
  const find = (name: string) => {
    const type = types[name];
    return type === undefined ? undefined : { name, type, configs: {}, secrets: {} };
  };
  const found = checkConnectionTypes(nodes, { find, names: () => Object.keys(types) });
  expect(brief(found)).toEqual(told);
  expect(toldBy(found)).toEqual(told.map((one) => `5:16 ${one} | it takes open_ai or azure_open_ai`));
});

const connection = { name: 'found', type: 'open_ai', configs: {}, secrets: {} };
const one = (keys: string): string => `nodes:\n- {name: ask, type: prompt, ${keys}}\n`;

test('a connection that is found though no list names it, as those of the environment are, is there', () => {
  const found = { find: (name: string) => (name === 'found' ? connection : undefined), names: () => [] };
  const checked = (keys: string) => checkConnections(read(one(keys)).nodes, found);
  expect(checked('connection: found')).toEqual([]);
  expect(checked("connection: ''")).toEqual([]);
  expect(brief(checked('connection: lost'))).toEqual([
    'CONNECTION_MISSING there is no connection "lost" for node "ask"',
  ]);
});

test('an empty text for a parameter that is a connection names none', () => {
  const parameters = [{ name: 'c', required: true, type: 'OpenAIConnection' }];
  const { nodes } = read("nodes:\n- {name: code, type: python, inputs: {c: ''}}\n", { code: { parameters } });
  expect(checkConnections(nodes, { find: () => undefined, names: () => [] })).toEqual([]);
});

test('a connection that cannot be used says what is wrong with it, once', () => {
  const connections = {
    find: () => connection,
    names: () => ['found', 'other'],
    problem: (name: string) => (name === 'found' ? 'connections.yaml:3: it has no key' : undefined),
  };
  const { nodes } = read(one('connection: found, retry: {fallback: [other]}'));
  expect(formatDiagnostics(checkConnections(nodes, connections))).toBe(
    `f.yaml:2:41 error CONNECTION_UNUSABLE the connection "found" of node "ask" cannot be used
    - {name: ask, type: prompt, connection: found, retry: {fallback: [other]}}
                                            ~~~~~
    help: connections.yaml:3: it has no key
1 error`,
  );
});

test('an environment variable that stands for a field of a connection', () => {
  const { spec } = read(`environment_variables:
  KEY: \${found.api_key}
  LOST: \${fuond.api_key}
  GIVEN: \${lost.api_key}
  PLAIN: text
${one('connection: found')}`);
  const connections = { find: (name: string) => (name === 'found' ? connection : undefined), names: () => ['found'] };
  const told = formatDiagnostics(checkEnvironment(spec, connections, new Set(['GIVEN'])));
  expect(told).toContain(
    'f.yaml:3:9 error CONNECTION_MISSING there is no connection "fuond" for the environment variable LOST',
  );
  expect(told).toContain('help: did you mean "found"?\n1 error');
  const unlisted = { ...connections, names: () => [] };
  expect(checkEnvironment(spec, unlisted, new Set(['GIVEN', 'LOST']))).toEqual([]);
});

test('an environment variable that no program can be given is told at its place', () => {
  const { spec } = read(`environment_variables:
  ZERO: "a\\0b"
  "A=B": text
  "": text
  GIVEN: "a\\0b"
  PLAIN: text
${one('connection: found')}`);
  const told = formatDiagnostics(
    checkEnvironment(spec, { find: () => undefined, names: () => [] }, new Set(['GIVEN'])),
  ).split('\n');
  const name = 'a name is not empty, and holds no "=" and no zero byte';
  expect(told.filter((line) => line.startsWith('f.yaml'))).toEqual([
    'f.yaml:2:9 error FLOW_WRONG_VALUE the value of the environment variable ZERO holds a zero byte, which ends a value',
    `f.yaml:3:10 error FLOW_WRONG_VALUE an environment variable cannot be called "A=B": ${name}`,
    `f.yaml:4:7 error FLOW_WRONG_VALUE an environment variable cannot be called "": ${name}`,
  ]);
});

test('a connection that hardly does is a warning, and one that certainly does not an error', () => {
  const doubt = { message: 'it may not do', help: 'try it', path: ['connection'] };
  const connectionDoubts = () => [doubt, { ...doubt, message: 'it does not do', isCertain: true as const }];
  const { nodes } = read(one('connection: found'), { ask: { connectionDoubts } });
  const found = checkConnectionDoubts(nodes, { find: () => connection, names: () => ['found'] });
  expect(toldBy(found)).toEqual([
    '2:41 warning CONNECTION_DOUBT it may not do | try it',
    '2:41 CONNECTION_DOUBT it does not do | try it',
  ]);
});
