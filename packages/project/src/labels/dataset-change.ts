import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type DataSource, type JsonValue, openData, parseJson } from '@unroll/engine';
import { beginOutputFile, outputNotWritable } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { type ShownFile, withFileLock } from '../host/with-file-lock.ts';
import { differInOne, firstHeld, pathOf, readRows, valuesOf } from './dataset-rows.ts';
import { applied, type ChangedLine, changedLines, editsOf } from './dataset-text.ts';

/** One value of a dataset that is to be another. */
export interface DatasetChange {
  /** Of the row, as records name it. */
  readonly line: number;
  /** A column, and what lies in it: `expected.answer`. */
  readonly column: string;
  /** What was typed: a text, and JSON where the column holds something else. */
  readonly expected: string;
}

/** What a change does to the file. */
export interface PlannedChange {
  /** SHA-256 of the file that it was planned for. */
  readonly digest: string;
  readonly lines: readonly ChangedLine[];
  /** The whole file as it will be. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Files that are larger are not changed: each change writes them whole. */
const maxBytes = 64 * 2 ** 20;

/**
 * What it takes to set one value of a dataset and leave every other character as it is. Nothing is written.
 *
 * @throws ProjectFailure where the file has no form that can be kept, no such row, or no text where the value belongs
 */
export async function planChange(file: ShownFile, change: DatasetChange): Promise<PlannedChange> {
  const data = await opened(file, file.file);
  const text = readWhole(file);
  const rows = await readRows(data, change.line);
  const row = rows.rows[rows.place];
  if (row === undefined || !('values' in row)) throw refusal(file, `it has no row ${change.line} that can be read`);
  const path = pathOf(change.column, valuesOf(row));
  const value = typedValue(change, file, firstHeld(rows, path));
  const edits = editsOf(text, extname(file.file).toLowerCase(), { place: rows.place, path, value });
  if (edits === undefined) throw refusal(file, `"${change.column}" cannot be set in row ${change.line}`);
  const after = applied(text, edits);
  return { digest: data.digest, lines: changedLines(text, after), text: after, path, value };
}

/**
 * Writes a change that was shown. The file takes its place once it was read again and is seen to differ in nothing else.
 *
 * @param digest of the file when it was shown
 * @throws ProjectFailure where the file is another one by now, or cannot be written
 */
export async function writeChange(file: ShownFile, change: DatasetChange, digest: string): Promise<PlannedChange> {
  return await withFileLock(file, async () => {
    const planned = await planChange(file, change);
    if (planned.digest !== digest) {
      throw new ProjectFailure(`${file.shown} was changed since this was shown; nothing is written`, {
        code: 'Changed',
        help: 'Look at the change again.',
      });
    }
    const output = beginOutputFile(file.file, { folder: '/' }, file.shown);
    if (output.written === file.file) throw refusal(file, 'nothing can be written beside it');
    try {
      writeFileSync(output.written, planned.text);
      await requireOneChange(file, output.written, change, planned);
      output.finish();
    } catch (error) {
      output.discard();
      throw error instanceof ProjectFailure ? error : outputNotWritable(file.shown, error);
    }
    return planned;
  });
}

function readWhole(file: ShownFile): string {
  const bytes = readFileSync(file.file);
  if (bytes.length > maxBytes) throw refusal(file, 'it is larger than 64 MB');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(file, 'it is not written in UTF-8');
  }
}

/** Reads the file that was written by the reader of datasets: it is the one before but for this value. */
async function requireOneChange(
  file: ShownFile,
  written: string,
  { line }: DatasetChange,
  { path, value }: PlannedChange,
): Promise<void> {
  const [before, after] = await Promise.all([opened(file, file.file), opened(file, written)]);
  const [left, right] = await Promise.all([readRows(before, line), readRows(after, line)]);
  if (differInOne(left, right, path, value)) return;
  throw refusal(file, 'more than this one value would change: its form is one that cannot be kept');
}

/** @param path of the file itself, or of the one that is to take its place */
async function opened(file: ShownFile, path: string): Promise<DataSource> {
  const form = extname(file.file).slice(1).toLowerCase();
  const format = (['json', 'csv', 'tsv', 'parquet'] as const).find((one) => one === form) ?? 'jsonl';
  const found = await openData(path, { format });
  if (!found.ok) throw refusal(file, found.message.replaceAll(path, file.shown));
  return found.data;
}

/** A text, but where the column holds lists, numbers … */
function typedValue({ column, expected }: DatasetChange, file: ShownFile, held: JsonValue | undefined): JsonValue {
  if (held === undefined || typeof held === 'string') return expected;
  try {
    return parseJson(expected);
  } catch {
    throw refusal(file, `"${column}" holds no texts: what is expected must be JSON there`);
  }
}

function refusal({ shown }: ShownFile, why: string): ProjectFailure {
  return new ProjectFailure(`${shown} cannot be changed: ${why}`, { code: 'DatasetNotChanged' });
}
