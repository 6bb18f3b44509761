import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stagePackages } from './stage-packages.ts';

/** `pnpm packages`: the four packages as tarballs in `release/packages/`, for `npm install` or `npm publish`. */
const folder = join(import.meta.dirname, 'packages');
stagePackages(folder);
for (const name of ['engine', 'nodes', 'evals', 'cli'])
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(folder, name),
    stdio: 'inherit',
  });
