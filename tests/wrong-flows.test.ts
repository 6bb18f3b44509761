import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Connection,
  type ConnectionSource,
  checkFlow,
  createFlowFiles,
  formatDiagnostics,
  readSourceFile,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';

const here = join(import.meta.dirname, 'wrong-flows');
const offline: Connection = { name: 'offline', type: 'offline', configs: {}, secrets: {} };
const connections: ConnectionSource = {
  find: (name) => (name === offline.name ? offline : undefined),
  names: () => [offline.name],
};

function check(flow: string) {
  const folder = join(here, flow);
  const files = createFlowFiles(folder, here);
  return checkFlow(readSourceFile(join(folder, 'flow.dag.yaml'), here), {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    files,
    connections,
  });
}

const flows = readdirSync(here, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

test('there are eleven wrong flows', () => {
  expect(flows.length).toBe(11);
});

test.for(flows)('%s: two mistakes, both told, each in its place', async (flow) => {
  const { diagnostics } = check(flow);
  expect(diagnostics.length).toBe(2);
  await expect(`${formatDiagnostics(diagnostics)}\n`).toMatchFileSnapshot(join(here, `${flow}.txt`));
});
