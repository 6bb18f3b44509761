import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What runs in each process of Python: compiled at every start where Python keeps no bytecode, as PYTHONDONTWRITEBYTECODE asks. */
const ours = ['nodes/src/python/worker', 'promptflow/src/python/modules'].map((folder) =>
  join(root, 'packages', folder),
);

/** One environment for each Python; who makes it at the same time as another run of tests leaves it to that. */
const program = `
import compileall, hashlib, os, shutil, sys, tempfile, venv
kept, *ours = sys.argv[1:]
for folder in ours:
    compileall.compile_dir(folder, quiet=2)
known = hashlib.sha256((sys.executable + sys.version).encode()).hexdigest()[:12]
bare = os.path.join(kept, ".test-python-" + known)
if not os.path.exists(bare):
    made = tempfile.mkdtemp(dir=kept, prefix=".test-python-")
    os.chmod(made, 0o755)
    venv.create(made, symlinks=True)
    try:
        os.rename(made, bare)
    except OSError:
        shutil.rmtree(made)
print(os.path.join(bare, "bin"))
`;

/**
 * Makes the some six hundred starts of Python in the tests shorter, and the same wherever they run: compiles our modules, and puts
 * an environment without packages before all others. What is installed beside the Python that is found, and what its `.pth`
 * files load, takes longer at a start than Python itself, as a version manager's stand-in does.
 *
 * @param path the search path
 * @returns the search path for the tests
 */
export function readyPython(path: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const given = ['-c', program, join(root, 'node_modules'), ...ours];
    const found = execFileSync('python3', given, { encoding: 'utf8', stdio: [...stdio] });
    return [found.trim(), path].join(delimiter);
  } catch {
    // There is none: the tests that need one say so.
    return path;
  }
}
