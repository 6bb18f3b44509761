import { DepthError } from '../value/depth.ts';
import { type JsonObject, type JsonValue, parseJson } from '../value/json.ts';
import { pythonJsonError } from '../value/python-json-error.ts';
import { undecodable } from './decode-text.ts';
import type { DataEncoding } from './detect-encoding.ts';
import { repeatedKey } from './repeated-key.ts';
import { withoutLastCommas } from './without-last-commas.ts';

/**
 * One record of a file before it has its line number: values, and what is doubtful of them with its line (`:7 …`), or what is wrong and
 * on which line of the file.
 */
export type FileRecord =
  | { readonly values: JsonObject; readonly doubt: string }
  | { readonly values: JsonObject }
  | { readonly fileLine: number | undefined; readonly problem: string };

/**
 * Records that are read together: a wait for each would take longer than reading it, and many would outlive the collection
 * of garbage, which makes the heap grow.
 */
export const batchSize = 32;

/** Characters of a line: no text may have twice as many. */
const longestLine = 2 ** 28;

/** Records of a JSONL text: one JSON object a line, blank lines left out. */
export async function* readJsonLines(
  text: AsyncIterable<string>,
  encoding: DataEncoding = 'utf-8',
  longest: number = longestLine,
): AsyncGenerator<readonly FileRecord[], void> {
  let fileLine = 0;
  for await (const lines of wholeLines(text, longest)) {
    for (let start = 0; start < lines.length; start += batchSize) {
      const records: FileRecord[] = [];
      for (const line of lines.slice(start, start + batchSize)) {
        fileLine += 1;
        records.push(...recordsOf(line, { fileLine, encoding, longest }));
      }
      yield records;
    }
  }
}

/** The pieces of one line, joined once its end has come, not with each. */
class LinePieces {
  private readonly longest: number;
  private pieces: string[] = [];
  private length = 0;

  constructor(longest: number) {
    this.longest = longest;
  }

  add(piece: string): void {
    this.length += piece.length;
    if (this.length > this.longest) this.pieces = [];
    else this.pieces.push(piece);
  }

  /** The line, undefined where it is too long to be put together; what is added from now on belongs to the next. */
  take(): string | undefined {
    const line = this.length > this.longest ? undefined : this.pieces.join('');
    this.pieces = [];
    this.length = 0;
    return line;
  }
}

async function* wholeLines(
  text: AsyncIterable<string>,
  longest: number,
): AsyncGenerator<readonly (string | undefined)[], void> {
  const begun = new LinePieces(longest);
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n');
    begun.add(first);
    const last = others.pop();
    if (last === undefined) continue;
    const whole = [begun.take(), ...others];
    begun.add(last);
    yield whole;
  }
  yield [begun.take()];
}

/** None for a blank line. */
function recordsOf(
  line: string | undefined,
  {
    fileLine,
    encoding,
    longest,
  }: { readonly fileLine: number; readonly encoding: DataEncoding; readonly longest: number },
): readonly FileRecord[] {
  if (line === undefined) return [{ fileLine, problem: `the line has more than ${longest} characters` }];
  return isFilled(line) ? [recordOf(line, fileLine, encoding)] : [];
}

/** As `scanFile` counts them: by ASCII's white space alone. */
function isFilled(line: string): boolean {
  return /[^\t\v\f\r ]/.test(line);
}

function recordOf(line: string, fileLine: number, encoding: DataEncoding): FileRecord {
  const problem = undecodable(line, encoding);
  if (problem !== undefined) return { fileLine, problem };
  try {
    const record = asRecord(parseLine(line), fileLine);
    const repeated = 'values' in record ? repeatedKey(line, record.values) : undefined;
    return repeated === undefined ? record : { ...record, doubt: repeatedDoubt(fileLine, repeated.key) };
  } catch (error) {
    return { fileLine, problem: `${jsonProblem(error, withoutEnds(line))}${oldEnds.test(line) ? oldEndsTold : ''}` };
  }
}

/** A comma after the last value of an object is passed over, as by Prompt flow's reader. */
function parseLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (error) {
    const without = withoutLastCommas(line);
    if (without === line) throw error;
    try {
      return parseJson(without);
    } catch {
      throw error;
    }
  }
}

/** Two objects with a line end of old between them, as a spreadsheet on macOS may write it. */
const oldEnds = /\}\r+\{/;
const oldEndsTold = '; lines end with CR alone here, which ends no line of JSONL: save the file with LF';

/** Of what JSON takes for white space only: any other is what is wrong with the line. */
function withoutEnds(line: string): string {
  return line.replace(/^[\t\r ]+|[\t\r ]+$/g, '');
}

export function repeatedDoubt(fileLine: number, key: string): string {
  return `:${fileLine} names ${JSON.stringify(key)} twice in one object: the last is taken, here and on lines like it`;
}

/** What is wrong with a text that `parseJson` refused. */
export function jsonProblem(error: unknown, text: string): string {
  if (error instanceof DepthError) return error.message;
  return `no JSON: ${pythonJsonError(text) ?? 'it cannot be read'}`;
}

/** A record is a JSON object. */
export function asRecord(value: JsonValue, fileLine: number | undefined): FileRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { values: value as JsonObject };
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { fileLine, problem: `a row must be a JSON object, this is ${kind}` };
}
