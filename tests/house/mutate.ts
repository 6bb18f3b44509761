import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type MutationReport, mutationScore, scoreText } from './mutation-score.ts';
import { mutationTests } from './mutation-tests.ts';

/**
 * `pnpm mutate FOLDER…`: changes the code of the folders in small ways, one at a time, and lists the changes that no test
 * notices (StrykerJS; stryker.config.json). Results are kept in .stryker, so a second run only tests what changed.
 * With `--sample N` it tries N changes of each folder, chosen by `--seed`, and tells how sure the score is.
 */
const usage = `usage: pnpm mutate [--sample N] [--seed TEXT] FOLDER… (for example packages/engine/src/plan), or FILE.ts\n`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const folders = positionals.map((folder) => folder.replace(/\/$/, ''));
if (folders.length === 0 || (values.sample !== undefined && !/^[1-9]\d*$/.test(values.sample))) {
  process.stderr.write(usage);
  process.exit(2);
}

const stryker = `${dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json'))}/bin/stryker.js`;
const codeOf = (folder: string): readonly string[] =>
  folder.endsWith('.ts')
    ? [folder]
    : [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/*.fixture.ts`, `!${folder}/testing/**`];

/** @returns whether StrykerJS ran to its end */
function mutate(folder: string): boolean {
  const tests = mutationTests(folder.endsWith('.ts') ? dirname(folder) : folder);
  const how = values.sample === undefined ? ['--incremental'] : ['--checkers', 'sample'];
  const sampling = { MUTANT_SAMPLE: values.sample ?? '', MUTANT_SEED: values.seed };
  const argv = ['run', ...how, '--mutate', codeOf(folder).join(','), '--testFiles', tests.join(',')];
  const run = spawnSync(process.execPath, [stryker, ...argv], {
    stdio: 'inherit',
    env: { ...process.env, ...sampling },
  });
  return run.status === 0;
}

const scores: string[] = [];
mkdirSync('.stryker', { recursive: true });
for (const folder of folders) {
  if (!mutate(folder)) process.exitCode = 1;
  else {
    const report: MutationReport = JSON.parse(readFileSync('.stryker/report.json', 'utf8'));
    writeFileSync(`.stryker/${folder.replaceAll('/', '-')}.json`, JSON.stringify(report));
    scores.push(scoreText(folder, mutationScore(report)));
  }
}
process.stdout.write(`${scores.join('\n')}\n`);
