import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const flow = join(import.meta.dirname, '../packages/cli/bin/flow.js');

test('a flow outside any project may import the functions helper of the tool that runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-anywhere-'));
  try {
    const node = '{name: a, type: python, source: {type: code, path: a.ts}, inputs: {}}';
    writeFileSync(
      join(folder, 'flow.dag.yaml'),
      `outputs: {kind: {type: string, reference: "\${a.output}"}}\nnodes: [${node}]\n`,
    );
    writeFileSync(
      join(folder, 'a.ts'),
      "import { functionNode } from '@unroll/nodes/functions';\nexport const run = () => typeof functionNode;\n",
    );
    const printed = execFileSync(process.execPath, [flow, 'run', folder, '--json'], { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(printed)).toMatchObject({ status: 'Completed', outputs: { kind: 'function' } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
