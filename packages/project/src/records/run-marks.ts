import { readFileSync, rmSync, statSync } from 'node:fs';
import { type Redactor, type RunMarks, shownPath } from '@unroll/engine';
import * as z from 'zod';
import { writeShownFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { reasonOf } from '../host/refusal.ts';
import { withFileLock } from '../host/with-file-lock.ts';

/** What is said anew of a run; what is left out stays as it is. */
export interface RunMarksChange {
  /** Null or empty takes it away. */
  readonly name?: string | null | undefined;
  /** Null or empty takes it away. */
  readonly note?: string | null | undefined;
  /** In place of those there are. */
  readonly tags?: readonly string[] | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

const keptMarks = z.object({
  name: z.string().optional(),
  note: z.string().optional(),
  tags: z.array(z.string()).readonly().default([]),
});

export const noMarks: RunMarks = { tags: [] };

/** Characters; tags of one run. */
const max = { name: 200, note: 4000, tag: 60, tags: 20 } as const;

/** Bytes. */
const maxBytes = 2 ** 20;

/** `20261121-064500-ask.marks.json` beside `20261121-064500-ask.run`. */
export function marksPath(recordPath: string): string {
  return `${recordPath.replace(/\.run$/, '')}.marks.json`;
}

/**
 * What people said of the run whose record that is; undefined where they said nothing, or the file of it cannot be read: who
 * changes it is told.
 */
export function readMarks(recordPath: string): RunMarks | undefined {
  try {
    return requireMarks(recordPath, recordPath);
  } catch (error) {
    if (error instanceof ProjectFailure) return undefined;
    throw error;
  }
}

function requireMarks(recordPath: string, shown: string): RunMarks | undefined {
  const path = marksPath(recordPath);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  try {
    if (!stats.isFile() || stats.size > maxBytes) throw new Error('it is no file of names and tags');
    const marks = marksIn(JSON.parse(readFileSync(path, 'utf8')));
    if (marks === undefined) throw new Error('it is no file of names and tags');
    return marks;
  } catch (error) {
    const reason = reasonOf(error);
    throw new ProjectFailure(`${shown} cannot be read: ${reason}`, {
      code: 'MarksFileError',
      help: 'Mend it or take it away: it holds the name, the tags and the note of a run.',
    });
  }
}

/**
 * Changes what is said of the run; where nothing is, there is no file.
 *
 * @param folder from which a person would type paths
 * @throws ProjectFailure where the file cannot be read or written
 */
export async function writeMarks(
  recordPath: string,
  change: (marks: RunMarks) => RunMarks,
  folder = '/',
): Promise<RunMarks> {
  const file = marksPath(recordPath);
  const shown = shownPath(file, folder);
  return await withFileLock({ file, shown }, async () => {
    const marks = change(requireMarks(recordPath, shown) ?? noMarks);
    if (isSilent(marks)) rmSync(file, { force: true });
    else writeShownFile({ file, shown }, `${JSON.stringify(marks, undefined, 2)}\n`);
    return marks;
  });
}

/** Whether nothing is said. */
export function isSilent({ name, note, tags }: RunMarks): boolean {
  return name === undefined && note === undefined && tags.length === 0;
}

/**
 * What is said of a run after a change of it: texts without blanks around them and without secrets, each tag once.
 *
 * @throws ProjectFailure where a text is too long, or a tag is none
 */
export function changedMarks(
  marks: RunMarks,
  change: RunMarksChange,
  { redactor }: { readonly redactor: Redactor },
): RunMarks {
  const { tags = marks.tags, addTags = [], removeTags = [] } = change;
  const text = (given: string | null | undefined, before: string | undefined): string | undefined =>
    given === undefined ? before : redactor.text(given ?? '').trim();
  const kept = new Set([...tags, ...addTags].map((tag) => redactor.text(tag).trim()));
  for (const tag of removeTags) kept.delete(tag.trim());
  const changed = { name: text(change.name, marks.name), note: text(change.note, marks.note), tags: [...kept] };
  const problem = problemOf(changed);
  if (problem !== undefined) throw new ProjectFailure(problem, { code: 'MarksNotPossible' });
  return said(changed);
}

/** What is said, as it was kept; undefined where that is something else. */
export function marksIn(kept: unknown): RunMarks | undefined {
  const { data } = keptMarks.safeParse(kept);
  return data === undefined ? undefined : said({ name: data.name, note: data.note, tags: data.tags });
}

interface MarkSettings {
  readonly name: string | undefined;
  readonly note: string | undefined;
  readonly tags: readonly string[];
}

function said({ name = '', note = '', tags }: MarkSettings): RunMarks {
  return { ...(name === '' ? {} : { name }), ...(note === '' ? {} : { note }), tags };
}

function problemOf({ name = '', note = '', tags }: MarkSettings): string | undefined {
  if (/\p{Cc}/u.test(name)) return 'the name of a run is one line';
  if (name.length > max.name) return `the name of a run has at most ${max.name} characters`;
  if (note.length > max.note) return `the note of a run has at most ${max.note} characters`;
  if (tags.length > max.tags) return `a run has at most ${max.tags} tags`;
  const wrong = tags.find((tag) => tag === '' || tag.length > max.tag || /[\p{Cc},]/u.test(tag));
  if (wrong === undefined) return undefined;
  return `a tag is a text of 1 to ${max.tag} characters on one line, without commas, not ${JSON.stringify(wrong)}`;
}
