import { DepthError } from '../value/depth.ts';
import { type JsonObject, type JsonValue, parseJson } from '../value/json.ts';
import { pythonJsonError } from '../value/python-json-error.ts';
import { undecodable } from './decode-text.ts';
import type { DataEncoding } from './detect-encoding.ts';

/** One record of a file before it has its line number: values, or what is wrong and on which line of the file. */
export type FileRecord =
  | { readonly values: JsonObject }
  | { readonly fileLine: number | undefined; readonly problem: string };

/**
 * Records that are read together: a wait for each would take longer than reading it, and many would outlive the collection
 * of garbage, which makes the heap grow.
 */
export const batchSize = 32;

/** Records of a JSONL text: one JSON object a line, blank lines left out. */
export async function* readJsonLines(
  text: AsyncIterable<string>,
  encoding: DataEncoding = 'utf-8',
): AsyncGenerator<readonly FileRecord[], void> {
  let fileLine = 0;
  for await (const lines of wholeLines(text)) {
    for (let start = 0; start < lines.length; start += batchSize) {
      const records: FileRecord[] = [];
      for (const line of lines.slice(start, start + batchSize)) {
        fileLine += 1;
        if (isFilled(line)) records.push(recordOf(line, fileLine, encoding));
      }
      yield records;
    }
  }
}

/** Pieces of a line are joined once its end has come, not with each: a line may be as long as memory is. */
async function* wholeLines(text: AsyncIterable<string>): AsyncGenerator<string[], void> {
  let pieces: string[] = [];
  for await (const chunk of text) {
    const lines = chunk.split('\n');
    pieces.push(lines[0] ?? '');
    if (lines.length === 1) continue;
    lines[0] = pieces.join('');
    pieces = [lines.pop() ?? ''];
    yield lines;
  }
  yield [pieces.join('')];
}

/** As `scanFile` counts them: by ASCII's white space alone. */
function isFilled(line: string): boolean {
  return /[^\t\v\f\r ]/.test(line);
}

function recordOf(line: string, fileLine: number, encoding: DataEncoding): FileRecord {
  const problem = undecodable(line, encoding);
  if (problem !== undefined) return { fileLine, problem };
  try {
    return asRecord(parseJson(line), fileLine);
  } catch (error) {
    return { fileLine, problem: jsonProblem(error, line.trim()) };
  }
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
