import { readFileSync } from 'node:fs';
import { shownPath } from '@unroll/engine';
import { diffLines } from '@unroll/evals';
import { writeOutputFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { EditedFlow } from './edited-flow.ts';
import { withPlainEnds } from './line-ends.ts';

export interface WrittenFile {
  readonly path: string;
  /** Lines of it that are other ones now. */
  readonly lines: number;
}

/**
 * Writes the edited files: all of them, or none.
 *
 * @param digests of the files as whoever writes has seen them, by path
 * @throws ProjectFailure where a file is another one by now
 */
export function writeChange(
  { files }: EditedFlow,
  digests: Readonly<Record<string, string>>,
  host: ProjectHost,
): readonly WrittenFile[] {
  if (files.length === 0) throw new ProjectFailure('nothing is changed', { code: 'NothingChanged' });
  for (const { path, digest } of files) {
    if (digest === digests[path]) continue;
    throw new ProjectFailure(`${path} has changed since it was read`, {
      help: 'Read it again: what was edited here is kept.',
      code: 'Changed',
    });
  }
  return files.map(({ path, full, text, edited }) => {
    const mark = readFileSync(full, 'utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
    writeOutputFile(shownPath(full, host.folder), mark + edited, host);
    return { path, lines: changedLines(text, edited) };
  });
}

/** Lines that were put in, or where there are none, taken out. */
export function changedLines(before: string, after: string): number {
  const parts = diffLines(withPlainEnds(before), withPlainEnds(after));
  const count = (kind: 'added' | 'removed'): number => parts.filter((part) => part.kind === kind).length;
  return Math.max(count('added'), count('removed'));
}
