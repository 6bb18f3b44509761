import { expect, test } from 'vitest';
import { ObservedReads } from './observed-reads.ts';

const seen = (parts: readonly string[]) => {
  const reads = new ObservedReads((sighting) =>
    sighting.kind === 'read' ? [sighting.part, sighting.value] : ['', ''],
  );
  reads.add(parts.map((part) => ({ kind: 'read', by: ['/f/a.py'], part, value: 'v' })));
  return Object.keys(reads.readsOf(['/f/a.py']));
};

test.for<readonly [what: string, parts: readonly string[], kept: readonly string[]]>([
  [
    'goes through all variables (urllib, for proxies)',
    ['all variables', 'variable OLDPWD', 'variable SHLVL', 'variable KEY'],
    ['all variables', 'variable KEY'],
  ],
  ['asks for one of a shell by its name', ['variable OLDPWD'], ['variable OLDPWD']],
])('of code that %s, what shells change by themselves counts only where it is asked for', ([, parts, kept]) => {
  expect(seen(parts)).toEqual(kept);
});
