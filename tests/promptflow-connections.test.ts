import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

interface SeenConnection {
  readonly written: { readonly value: Readonly<Record<string, string>>; readonly secret_keys?: readonly string[] };
  readonly seen: Readonly<Record<string, unknown>>;
}

/** What code sees of a connection of each class, recorded with promptflow 1.18.5. */
const file = join(import.meta.dirname, '../cases/promptflow/connections_seen.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, SeenConnection>>;

test.for(Object.keys(recorded))(
  'without promptflow code sees of a %s what it sees with it',
  { timeout: 120_000 },
  async (type) => {
    const { written, seen } = recorded[type] ?? { written: { value: {} }, seen: {} };
    using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
    const { value, secret_keys: secrets = [] } = written;
    const custom = Object.groupBy(Object.entries(value), ([key]) => (secrets.includes(key) ? 'secrets' : 'configs'));
    const fields =
      type === 'CustomConnection'
        ? { configs: Object.fromEntries(custom.configs ?? []), secrets: Object.fromEntries(custom.secrets ?? []) }
        : value;
    const code = `from promptflow.core import tool
from promptflow.connections import ${type}
@tool
def see(c: ${type}):
    return {name: getattr(c, name) for name in ${JSON.stringify(Object.keys(seen))}}
`;
    writeFiles(world.folder, {
      'connections.yaml': JSON.stringify({ c: { type, ...fields } }),
      'see/see.py': code,
      'see/flow.dag.yaml':
        'outputs: {o: {type: object, reference: "${s.output}"}}\nnodes: [{name: s, type: python, source: {type: code, path: see.py}, inputs: {c: c}}]',
    });
    const { stdout, stderr } = await world.flow('run', 'see', '--json', '--connections', 'connections.yaml');
    expect({ stderr, outputs: JSON.parse(stdout || '{}').outputs }).toEqual({ stderr: '', outputs: { o: seen } });
  },
);

/** What code asks of connections without promptflow, as promptflow 1.18.5 answers it. */
test.for<[what: string, type: string, asked: string, told: unknown]>([
  ['an attribute that OpenAI does not have', 'OpenAI', 'hasattr(c, "api_base")', false],
  ['its base under two names', 'OpenAI', '[getattr(c, name, None) for name in ("api_base", "base_url")]', [null, 'b']],
  ['an attribute that nobody set', 'Custom', 'hasattr(c, "api_key")', false],
  ['that one of a service', 'Serp', 'hasattr(c, "api_base")', false],
  [
    'keys in their order',
    'AzureOpenAI',
    'list(dict(c))',
    ['api_base', 'api_type', 'api_version', 'auth_mode', 'resource_id', 'api_key'],
  ],
  ['configs before secrets', 'OpenAI', 'c.keys()', ['organization', 'base_url', 'api_key']],
  ['a key that is not there', 'Custom', 'told(lambda: c["none"])', "Key 'none' not found in connection 'c'."],
  [
    'a key that Azure does not have',
    'AzureOpenAI',
    'told(lambda: c["none"])',
    "Key 'none' not found in connection 'c'.",
  ],
])('without promptflow code asks for %s', { timeout: 120_000 }, async ([, type, asked, told]) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  const fields: Readonly<Record<string, object>> = {
    OpenAI: { api_key: 'k', base_url: 'b' },
    AzureOpenAI: { api_key: 'k', api_base: 'http://a' },
    Serp: { api_key: 'k' },
    Custom: { configs: { a: '1' }, secrets: { s: 'k' } },
  };
  const code = `from promptflow.core import tool
from promptflow.connections import ${type}Connection

def told(call):
    try:
        return call()
    except KeyError as error:
        return error.args[0]

@tool
def see(c: ${type}Connection):
    return ${asked}
`;
  writeFiles(world.folder, {
    'connections.yaml': JSON.stringify({ c: { type: `${type}Connection`, ...fields[type] } }),
    'see/see.py': code,
    'see/flow.dag.yaml':
      'outputs: {o: {type: object, reference: "${s.output}"}}\nnodes: [{name: s, type: python, source: {type: code, path: see.py}, inputs: {c: c}}]',
  });
  const { stdout, stderr } = await world.flow('run', 'see', '--json', '--connections', 'connections.yaml');
  expect({ stderr, outputs: JSON.parse(stdout || '{}').outputs }).toEqual({ stderr: '', outputs: { o: told } });
});

test('a variable that asks for a field of a connection may stand between blanks', { timeout: 120_000 }, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'connections.yaml': JSON.stringify({ c: { type: 'custom', configs: { host: 'http://a' }, secrets: { s: 'k' } } }),
    'see/see.py': `import os
from promptflow.core import tool
@tool
def see():
    return [os.environ.get(name) for name in ("A", "B", "C", "D")]
`,
    'see/flow.dag.yaml': `environment_variables: {A: "\${c.host} ", B: " \${c.host}", C: "\${c.host}\\n", D: "x \${c.host}"}
outputs: {o: {type: object, reference: "\${s.output}"}}
nodes: [{name: s, type: python, source: {type: code, path: see.py}}]`,
  });
  const run = async (...given: readonly string[]): Promise<unknown> => {
    const { stdout } = await world.flow('run', 'see', '--json', '--connections', 'connections.yaml', ...given);
    return JSON.parse(stdout || '{}').outputs.o;
  };
  expect(await run()).toEqual(['http://a', 'http://a', 'http://a', 'x ${c.host}']);
  expect(await run('--environment-variables', 'D= ${c.host} ')).toEqual([
    'http://a',
    'http://a',
    'http://a',
    'http://a',
  ]);
});
