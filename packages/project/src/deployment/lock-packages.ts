import { spawn } from 'node:child_process';
import type { Redactor } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * Has npm write a package-lock.json: all that is installed, with digests. The settings of npm count, its registry among them.
 *
 * @throws ProjectFailure with npm's own words
 */
export async function lockPackages(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): Promise<void> {
  const argv = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm is a script of the shell on Windows, where Node warns of words beside it: none of these needs quotes.
  const isScript = process.platform === 'win32';
  const npm = spawn(isScript ? ['npm', ...argv].join(' ') : 'npm', isScript ? [] : argv, {
    cwd: folder,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: isScript,
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const problem = await new Promise<string | undefined>((resolve) => {
    npm.on('error', ({ message }) => resolve(message));
    npm.on('close', (code) => resolve(code === 0 ? undefined : said));
  });
  if (problem === undefined) return;
  const [, unpublished] = /E404[\s\S]*'(@unroll\/\w+)@/.exec(problem) ?? [];
  const reason = unpublished === undefined ? redactor.message(problem).trim() : `its registry has no ${unpublished}`;
  const way =
    unpublished === undefined
      ? '--no-lock does without: npm install then takes the place of npm ci.'
      : 'With --packages FOLDER --force the packed packages of flow in FOLDER are taken along.';
  throw new ProjectFailure(`npm cannot write package-lock.json: ${reason}`, {
    code: 'NotLocked',
    kind: 'failed',
    help: `All else is written. ${way}`,
  });
}
