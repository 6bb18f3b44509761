import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';

/**
 * What a row of three Python nodes without work costs, recorded: CPU of the process tree, the difference between 2,000 and
 * 200 rows. Beside Prompt flow's batch engine where PROMPTFLOW_PYTHON names a Python that has promptflow-core and
 * promptflow-devkit (target: at most a twentieth).
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-python-'));
const flowFile = `inputs: {n: {type: int}}
outputs: {o: {type: int, reference: "\${c.output}"}}
nodes:
- {name: a, type: python, source: {type: code, path: a.py}, inputs: {n: "\${inputs.n}"}}
- {name: b, type: python, source: {type: code, path: a.py}, inputs: {n: "\${a.output}"}}
- {name: c, type: python, source: {type: code, path: a.py}, inputs: {n: "\${b.output}"}}
`;
const batch = `import os, sys, tempfile
from pathlib import Path
from promptflow.batch import BatchEngine
if __name__ == "__main__":
    flow, data = Path(sys.argv[1]), Path(sys.argv[2])
    engine = BatchEngine(flow / "flow.dag.yaml", flow, connections={})
    result = engine.run({"data": data}, {"n": "\${data.n}"}, Path(tempfile.mkdtemp()))
    os._exit(0 if result.completed_lines == result.total_lines else 1)
`;
const [few, many] = [200, 2000];
const flow = join(folder, 'noop');

function millisecondsPerRow(command: (data: string) => readonly string[]): number {
  const [less = 0, more = 0] = [few, many].map(
    (rows) => measureProcess(command(join(folder, `${rows}.jsonl`))).cpuSeconds,
  );
  return ((more - less) * 1000) / (many - few);
}

function ours(data: string): readonly string[] {
  const runs = join(folder, 'runs');
  rmSync(runs, { recursive: true, force: true });
  const cli = join(root, 'packages/cli/dist/flow.js');
  return [process.execPath, cli, 'run', flow, '--data', data, '--quiet', '--concurrency', '8', '--runs-dir', runs];
}

try {
  measureProcess([process.execPath, join(root, 'packages/cli/build.ts')]);
  mkdirSync(flow);
  writeFileSync(join(flow, 'flow.dag.yaml'), flowFile);
  writeFileSync(join(flow, 'a.py'), 'from promptflow.core import tool\n\n@tool\ndef a(n):\n    return n\n');
  writeFileSync(join(folder, 'batch.py'), batch);
  for (const rows of [few, many]) {
    const lines = Array.from({ length: rows }, (_, n) => JSON.stringify({ n }));
    writeFileSync(join(folder, `${rows}.jsonl`), `${lines.join('\n')}\n`);
  }
  const python = process.env['PROMPTFLOW_PYTHON'];
  process.env['PF_BATCH_METHOD'] = 'spawn';
  process.env['PF_WORKER_COUNT'] = '2';
  const peer = (data: string): readonly string[] => [python ?? '', join(folder, 'batch.py'), flow, data];
  const floor = { name: "floor: Prompt flow's batch engine", measure: () => millisecondsPerRow(peer) };
  const engine = { name: 'flow run', measure: () => millisecondsPerRow(ours) };
  const contestants = python === undefined ? [engine] : [floor, engine];
  const comparisons = await compare(contestants, Number(process.env['ROUNDS'] ?? 3));
  printComparison('a row of three Python nodes, CPU (target <= 0.05x)', 'ms', comparisons);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
