import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';

/**
 * G8, start-up: CPU (user and system) of whole processes, as a ratio to a process that does nothing. The bundle is what is
 * measured, with its compile cache filled by the round that does not count. Targets: help 1.4, check 0.4 s, a row 0.6 s.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-startup-'));
try {
  measureProcess([process.execPath, join(root, 'packages/cli/build.ts')]);
  const floor = join(folder, 'floor.js');
  writeFileSync(floor, '0;\n');
  const flow = [process.execPath, join(root, 'packages/cli/dist/flow.js')];
  const agent = join(root, 'flows/privacy-agent');
  const cost = (command: readonly string[]) => (): number => 1000 * measureProcess(command).cpuSeconds;
  const question = 'query=委託先に個人データを渡すとき、本人の同意は要りますか';
  const comparisons = await compare(
    [
      { name: 'floor: node on an empty file', measure: cost([process.execPath, floor]) },
      { name: 'flow --help (target 1.4)', measure: cost([...flow, '--help']) },
      { name: 'flow check flows/privacy-agent (target 400 ms)', measure: cost([...flow, 'check', agent]) },
      {
        name: 'flow run flows/privacy-agent, one row (target 600 ms)',
        measure: cost([...flow, 'run', agent, '--input', question, '--runs-dir', folder]),
      },
    ],
    21,
  );
  printComparison('G8 start-up', 'ms', comparisons);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
