import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds by process of this machine, that of children that have ended included; as Linux counts them. */
export function cpuSecondsByProcess(): ReadonlyMap<number, { readonly parent: number; readonly seconds: number }> {
  const found = new Map<number, { parent: number; seconds: number }>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? fileOf(name, 'stat') : undefined;
    if (stat === undefined) continue;
    // After the name, which may hold blanks and brackets: state, parent … https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
    found.set(Number(name), { parent: Number(fields[1]), seconds: (user + system + childUser + childSystem) / 100 });
  }
  return found;
}

/** Of a process, its children and theirs. */
export function treeCpuSeconds(root: number): number {
  const all = cpuSecondsByProcess();
  let sum = 0;
  for (const [id, { seconds }] of all) if (isUnder(id, root, all)) sum += seconds;
  return sum;
}

function isUnder(id: number, root: number, all: ReadonlyMap<number, { readonly parent: number }>): boolean {
  for (let at: number | undefined = id; at !== undefined; at = all.get(at)?.parent) if (at === root) return true;
  return false;
}

/** Of a process that runs. */
export function parentOf(id: number): number {
  return cpuSecondsByProcess().get(id)?.parent ?? 0;
}

/** Megabytes in memory now. */
export function megabytesOf(id: number): number {
  return Math.round(kilobytesOf(id, 'VmRSS') / 1024);
}

/** Megabytes now of a process, its children and theirs, without memory that they share. */
export function ownMegabytesUnder(root: number): number {
  const all = cpuSecondsByProcess();
  let kilobytes = 0;
  for (const id of all.keys()) if (isUnder(id, root, all)) kilobytes += kilobytesOf(id, 'RssAnon');
  return Math.round(kilobytes / 1024);
}

/** @returns 0 of a process that has ended */
function kilobytesOf(id: number, what: 'VmRSS' | 'RssAnon'): number {
  const [, kilobytes = '0'] = new RegExp(`${what}:\\s+(\\d+)`).exec(fileOf(id, 'status') ?? '') ?? [];
  return Number(kilobytes);
}

function fileOf(process: string | number, name: 'stat' | 'status'): string | undefined {
  try {
    return readFileSync(`/proc/${process}/${name}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
