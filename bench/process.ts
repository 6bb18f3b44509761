import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resourceUsage } from 'node:process';

/** CPU seconds (user and system) of a whole process tree and its wall seconds. */
export interface ProcessCost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** Runs a command to its end and measures it. @throws Error when it does not exit with 0 */
export function measureProcess(command: readonly string[]): ProcessCost {
  const [file = '', ...rest] = command;
  const time = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S %R"; time "$0" "$@" >/dev/null 2>&1', file, ...rest], {
    encoding: 'utf8',
  });
  if (time.status !== 0) throw new Error(`${command.join(' ')} exited with ${time.status}`);
  const [user = 0, system = 0, wall = 0] = time.stderr.trim().split(/\s+/).map(Number);
  return { cpuSeconds: user + system, wallSeconds: wall };
}

/** CPU seconds this process has used so far. */
export function ownCpuSeconds(): number {
  const { userCPUTime, systemCPUTime } = resourceUsage();
  return (userCPUTime + systemCPUTime) / 1e6;
}

/** Highest resident set of a process, in MB, as Linux keeps it. */
export async function peakMegabytes(command: readonly string[]): Promise<number> {
  const [file = '', ...rest] = command;
  const child = spawn(file, rest, { stdio: 'ignore' });
  let peak = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      peak = Math.max(peak, Number(kilobytes) / 1024);
    } catch {
      // It has ended.
    }
  }, 50);
  await once(child, 'close');
  clearInterval(timer);
  return peak;
}
