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
