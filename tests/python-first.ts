import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/**
 * The search path, with the folder of the Python that it leads to before all others: a version manager's stand-in takes longer
 * to find that Python than it takes to start, and the tests start some six hundred.
 */
export function pythonFirst(path: string): string {
  try {
    const argv = ['-c', 'import sys; print(sys.executable)'];
    const found = execFileSync('python3', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [dirname(found.trim()), path].join(delimiter);
  } catch {
    // There is none: the tests that need one say so.
    return path;
  }
}
