import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The Python environment made for one flow from its requirements.txt. */
export interface FlowPython {
  /** Absolute; undefined where the flow has no requirements. */
  readonly requirements: string | undefined;
  /** Folder of the environment for the requirements as they are now, absolute: another one when they change. */
  readonly folder: string;
  /** Its interpreter. */
  readonly command: string;
  /** Written when everything is installed. */
  readonly marker: string;
  readonly isReady: boolean;
  /** There is one for requirements as they were. */
  readonly isStale: boolean;
}

/**
 * Where a flow's environment is: `.flow/python/<digest of requirements.txt>` in its folder.
 *
 * @param folder absolute folder of the flow
 */
export function flowPython(folder: string): FlowPython {
  const file = join(folder, 'requirements.txt');
  const hasRequirements = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const text = hasRequirements ? readFileSync(file, 'utf8') : '';
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const all = join(folder, '.flow', 'python');
  const own = join(all, digest);
  const marker = join(own, 'ready');
  const isReady = existsSync(marker);
  return {
    requirements: hasRequirements ? file : undefined,
    folder: own,
    command: join(own, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'])),
    marker,
    isReady,
    isStale: !isReady && existsSync(all) && readdirSync(all).some((name) => !name.startsWith('.')),
  };
}
