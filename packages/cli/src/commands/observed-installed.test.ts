import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `inputs: {q: {type: string}}
outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {q: "\${inputs.q}"}}
`;
const node = (body: string): string =>
  `from promptflow.core import tool\n\n@tool\ndef say(q: str):\n    ${body}\n    return q\n`;

/** It does what the real one does as it is imported: takes a port for a moment, to see whether there is IPv6. */
const urllib3 = `import socket
def _has_ipv6(host):
    taken = None
    try:
        taken = socket.socket(socket.AF_INET6)
        taken.bind((host, 0))
        return True
    except Exception:
        return False
    finally:
        if taken:
            taken.close()

def wait():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))

HAS_IPV6 = _has_ipv6("::1")
`;
const packages = {
  'lib/site-packages/urllib3/__init__.py': 'from .util import connection\n',
  'lib/site-packages/urllib3/util/__init__.py': '',
  'lib/site-packages/urllib3/util/connection.py': urllib3,
  'lib/site-packages/asks.py': 'import urllib3\n',
};

test.for([
  ['that imports it', node('import urllib3'), true],
  ['that imports what imports it (langchain_core)', node('import asks'), true],
  ['for which it takes a port', node('import urllib3; urllib3.util.connection.wait()'), false],
  ['that takes a port itself', node('import socket; socket.socket().bind(("127.0.0.1", 0))'), false],
] as const)('what urllib3 looks for as it is imported is no network of the code %s', async ([, text, isTaken]) => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'f/flow.dag.yaml': flow, 'f/say.py': text, 'd.jsonl': '{"q": "a"}\n', ...packages });
  const variable = `PYTHONPATH=${join(world.folder, 'lib/site-packages')}`;
  const run = (...more: readonly string[]) =>
    world.flow('run', 'f', '--data', 'd.jsonl', '--environment-variables', variable, ...more);
  const first = await run('--name', 'one');
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr.includes('say (network)')).toBe(!isTaken);
  expect((await run('--since', 'one', '--name', 'two')).stdout.includes('1 cached')).toBe(isTaken);
});
