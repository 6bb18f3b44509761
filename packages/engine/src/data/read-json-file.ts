import { parseJson, type Value, type Values } from '../value/json.ts';
import { pythonJsonError } from '../value/python-json-error.ts';
import { asRecord, type FileRecord } from './read-json-lines.ts';

/**
 * Records of a JSON text: a list of objects, or an object of columns, `{"q": ["a", "b"]}` or `{"q": {"0": "a"}}` (the
 * forms pandas writes).
 */
export async function* readJsonFile(text: AsyncIterable<string>): AsyncGenerator<FileRecord, void> {
  const chunks: string[] = [];
  for await (const chunk of text) chunks.push(chunk);
  const whole = chunks.join('');
  if (whole.trim() === '') return;
  let parsed: Value;
  try {
    parsed = parseJson(whole);
  } catch {
    yield { fileLine: undefined, problem: `no JSON: ${pythonJsonError(whole) ?? 'it cannot be read'}` };
    return;
  }
  const rows = rowsOf(parsed);
  if (rows === undefined) {
    const problem = 'a JSON file must be a list of objects, or an object whose values are columns of the same length';
    yield { fileLine: undefined, problem };
    return;
  }
  for (const row of rows) yield asRecord(row, undefined);
}

function rowsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value as readonly Value[];
  if (typeof value !== 'object' || value === null) return undefined;
  const columns = Object.entries(value as Values).map(([name, column]) => [name, cellsOf(column)] as const);
  const [length = 0] = columns.map(([, cells]) => cells?.length);
  if (columns.some(([, cells]) => cells?.length !== length)) return undefined;
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(columns.map(([name, cells]) => [name, cells?.[at] ?? null])),
  );
}

function cellsOf(column: Value): readonly Value[] | undefined {
  if (Array.isArray(column)) return column as readonly Value[];
  return typeof column === 'object' && column !== null ? Object.values(column as Values) : undefined;
}
