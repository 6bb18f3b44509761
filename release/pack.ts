import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stagePackages } from './stage-packages.ts';

/** `pnpm packages`: the seven packages as tarballs in `release/packages/`, for `npm install` or `npm publish`. */
const folder = join(import.meta.dirname, 'packages');
for (const name of stagePackages(folder))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(folder, name),
    stdio: 'inherit',
  });
