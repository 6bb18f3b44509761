import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type DataFormat, dataFormats } from './data-format.ts';
import { filesOf } from './files-below.ts';
import { lookAt } from './readable-file.ts';

/** Files that hold rows, and those of a folder that lie beside them: images that rows name, a page about them. */
interface DataFiles {
  readonly rows: readonly string[];
  readonly beside: readonly string[];
}

/**
 * A file, or those of a folder: rows are in those that have the extension of a format, or begin as JSONL does.
 *
 * @param format of all of them, whatever their extensions
 * @returns why there are none
 */
export function dataFiles(path: string, format: DataFormat | undefined): DataFiles | string {
  const found = lookAt(path);
  if (typeof found === 'string') return found;
  if (!found.isDirectory()) return { rows: [path], beside: [] };
  const listed = filesOf(path);
  if (typeof listed === 'string') return listed;
  if (listed.length === 0) return `the folder ${path} holds no file`;
  const rows = listed.filter((file) => format !== undefined || isNamedAsData(file) || beginsAsRow(file));
  const taken = new Set(rows);
  const beside = listed.filter((file) => !taken.has(file));
  return rows.length === 0 ? `the folder ${path} holds no data: ${passedOver(beside)}` : { rows, beside };
}

/** What is said of files that lie beside rows. */
export function passedOver(beside: readonly string[]): string {
  const names = beside.slice(0, namedFiles).map((path) => basename(path));
  const more = beside.length - names.length;
  if (beside.length === 1) return `${names[0]} is passed over: its name says no format, and it is no JSONL`;
  const listed =
    more > 0 ? `${names.join(', ')} and ${more} more` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${listed} are passed over: their names say no format, and they are no JSONL`;
}

/** Of many, so many are named. */
const namedFiles = 3;

function isNamedAsData(path: string): boolean {
  const extension = extname(path).slice(1).toLowerCase();
  return dataFormats.some((format) => format === extension);
}

/** Blanks, and the marks and zeros of other encodings, before the first sign. */
const beforeText: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);
const openingBrace = 0x7b;

/** Of what cannot be read, whoever opens it says so. */
function beginsAsRow(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return true;
  try {
    return firstSign(path) === openingBrace;
  } catch {
    return true;
  }
}

function firstSign(path: string): number | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(1024);
    const size = readSync(descriptor, start);
    return start.subarray(0, size).find((byte) => !beforeText.has(byte));
  } finally {
    closeSync(descriptor);
  }
}
