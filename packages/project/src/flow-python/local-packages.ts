import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A requirement that is a name, whatever its version: no path, no address, no option of pip. */
const named =
  /^\s*(?!\S+\.(?:whl|zip|gz|tgz|bz2|xz)\b)([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~;#].*)?$/;
/** Between such lines: nothing, comments, and digests of what is installed. */
const besideNames = /^\s*(?:#.*|--hash=\S+\s*\\?)?$/;

/** Whether all that a requirements.txt lists comes from the package index, and nothing from files that lie beside it. */
export function isOfIndexAlone(requirements: string): boolean {
  return requirements.split(/\r?\n/).every((line) => named.test(line) || besideNames.test(line));
}

const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/** Names in a requirements.txt beside which a package of that name lies, which pip does not look for: it takes what the index has. */
export function localPackages(requirements: string): readonly string[] {
  const folder = dirname(requirements);
  return readFileSync(requirements, 'utf8')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name] = named.exec(line) ?? [];
      const beside = name === undefined ? undefined : packageBeside(folder, name);
      if (beside === undefined) return [];
      const means = beside.isProject
        ? `write ./${beside.path} for the folder beside it`
        : `leave it out for the folder ${beside.path} beside it, which code imports as it is`;
      return [`requirements.txt names ${name}, which is installed from the package index: ${means}`];
    });
}

function packageBeside(
  folder: string,
  name: string,
): { readonly path: string; readonly isProject: boolean } | undefined {
  const spelled = [...new Set([name, name.replaceAll(/[-.]/g, '_'), name.replaceAll(/[_.]/g, '-')])];
  for (const path of spelled) {
    const isProject = projectFiles.some((file) => existsSync(join(folder, path, file)));
    if (isProject || existsSync(join(folder, path, '__init__.py'))) return { path, isProject };
  }
  return undefined;
}
