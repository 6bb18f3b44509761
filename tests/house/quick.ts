import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { quickTests } from './quick-tests.ts';

/** `pnpm test:quick`: the tests nearest to what is changed and not yet committed, or to the last commit where nothing is. */
const git = (...words: readonly string[]): readonly string[] =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
const tests = quickTests(changed);
process.stdout.write(`${changed.length} changed files, ${tests.length} test files\n`);
const vitest = `${dirname(createRequire(import.meta.url).resolve('vitest/package.json'))}/vitest.mjs`;
const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests], { stdio: 'inherit' });
process.exitCode = status ?? 1;
