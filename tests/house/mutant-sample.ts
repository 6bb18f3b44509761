import { createHash } from 'node:crypto';
import { type Checker, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { PluginKind } from '@stryker-mutator/api/plugin';

/**
 * The `size` changes that a seed picks: those whose digests together with the seed come first, so that the order in which
 * they are found and how many there are beside them does not matter.
 *
 * @returns ids
 */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: string): ReadonlySet<string> {
  const digest = ({ fileName, location, mutatorName, replacement }: Mutant): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, fileName, location, mutatorName, replacement]))
      .digest('hex');
  const drawn = mutants.map((mutant) => ({ id: mutant.id, digest: digest(mutant) }));
  drawn.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  return new Set(drawn.slice(0, size).map(({ id }) => id));
}

export const notInSample = 'not in the sample';

/**
 * StrykerJS has no samples, but lets a checker leave out changes before their tests run; what one leaves out counts in no score.
 * It is given all changes of a run at once.
 */
function createSampleChecker(): Checker {
  const size = Number(process.env['MUTANT_SAMPLE']);
  const seed = process.env['MUTANT_SEED'] ?? '';
  let sample: ReadonlySet<string> = new Set();
  return {
    init: () => Promise.resolve(),
    group(mutants) {
      sample = sampleOf(mutants, size, seed);
      return Promise.resolve([mutants.map(({ id }) => id)]);
    },
    check: (mutants) =>
      Promise.resolve(
        Object.fromEntries(
          mutants.map(({ id }) => [
            id,
            sample.has(id) ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason: notInSample },
          ]),
        ),
      ),
  };
}

export const strykerPlugins = [{ kind: PluginKind.Checker, name: 'sample', factory: createSampleChecker }];
