import { diffLines } from '@unroll/evals';
import { withPlainEnds } from '../playground/line-ends.ts';
import type { LineChange } from '../studio-contract/contract.ts';

/** Lines round a change that are shown with it. */
const context = 2;

/** What became of a text whose line ends stay, with the lines round each change; the others are counted. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const parts = diffLines(withPlainEnds(before), withPlainEnds(after));
  const shown = new Set<number>();
  for (const [at, { kind }] of parts.entries()) {
    if (kind === 'same') continue;
    for (let near = at - context; near <= at + context; near += 1) shown.add(near);
  }
  const changes: LineChange[] = [];
  for (const [at, part] of parts.entries()) {
    if (shown.has(at)) {
      changes.push(part);
      continue;
    }
    const last = changes.at(-1);
    if (last?.kind === 'skipped') changes[changes.length - 1] = { kind: 'skipped', lines: last.lines + 1 };
    else changes.push({ kind: 'skipped', lines: 1 });
  }
  return changes;
}
