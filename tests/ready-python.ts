import { execFileSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';

const packages = join(import.meta.dirname, '../packages');

/** What runs in each process of Python: compiled at every start where Python keeps no bytecode, as PYTHONDONTWRITEBYTECODE asks. */
const ours = ['nodes/src/python/worker', 'promptflow/src/python/modules'].map((folder) => join(packages, folder));

const program = `
import compileall, sys
for folder in sys.argv[1:]:
    compileall.compile_dir(folder, quiet=2)
print(sys.executable)
`;

/**
 * Makes the some six hundred starts of Python in the tests shorter: compiles our modules, and puts the folder of the Python that
 * is found before all others, since a version manager's stand-in takes longer to find it than it takes to start.
 *
 * @param path the search path
 * @returns the search path for the tests
 */
export function readyPython(path: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const found = execFileSync('python3', ['-c', program, ...ours], { encoding: 'utf8', stdio: [...stdio] });
    return [dirname(found.trim()), path].join(delimiter);
  } catch {
    // There is none: the tests that need one say so.
    return path;
  }
}
