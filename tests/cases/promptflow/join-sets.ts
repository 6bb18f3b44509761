import {
  type ColumnMapping,
  type DataRow,
  type JsonObject,
  type JsonValue,
  mappingNotFound,
  mapRow,
  type NamedSets,
  type NodeError,
  pythonRepr,
} from '@unroll/engine';

/** Rows of one set that is held in memory, an earlier run's outputs for instance. */
type HeldSet = readonly JsonObject[];

type JoinedRows =
  | { readonly ok: true; readonly rows: readonly DataRow[] }
  | { readonly ok: false; readonly error: NodeError };

const lineKey = 'line_number';

/**
 * Joins sets row by row and maps them to a flow's inputs: a set whose
 * rows carry `line_number` by it, another by position. A line that a set does not have is left out; a relation that a
 * row does not have refuses the whole run before any row.
 */
export function joinSets(sets: Readonly<Record<string, HeldSet>>, mapping: ColumnMapping): JoinedRows {
  const problem = refusal(sets);
  if (problem !== undefined) return { ok: false, error: problem };
  const complete = mergeByLine(sets);
  if (complete.length === 0) return { ok: false, error: incorrect(noCompleteLine) };
  const rows: DataRow[] = [];
  for (const { line, named } of complete) {
    const mapped = mapRow(named, mapping);
    if (!mapped.ok) return { ok: false, error: mappingNotFound(mapped.notFound) };
    rows.push({ line, values: mapped.inputs });
  }
  return { ok: true, rows };
}

function refusal(sets: Readonly<Record<string, HeldSet>>): NodeError | undefined {
  const empty = Object.entries(sets).find(([, rows]) => rows.length === 0);
  if (empty !== undefined) return incorrect(emptySet(empty[0]));
  const unnumbered = Object.entries(sets).filter(([, rows]) => !isNumbered(rows));
  const lengths = Object.fromEntries(unnumbered.map(([name, rows]) => [name, rows.length]));
  return new Set(Object.values(lengths)).size > 1 ? incorrect(linesNotAligned(lengths)) : undefined;
}

interface MergedLine {
  readonly line: number;
  readonly named: NamedSets;
}

function mergeByLine(sets: Readonly<Record<string, HeldSet>>): readonly MergedLine[] {
  const byLine = new Map<number, Record<string, JsonObject>>();
  for (const [name, rows] of Object.entries(sets)) {
    const numbered = isNumbered(rows);
    for (const [position, row] of rows.entries()) {
      const line = numbered ? lineOf(row[lineKey]) : position;
      if (line === undefined) continue;
      const named = byLine.get(line) ?? {};
      byLine.set(line, named);
      named[name] = row;
    }
  }
  const size = Object.keys(sets).length;
  return [...byLine].flatMap(([line, named]) => (Object.keys(named).length === size ? [{ line, named }] : []));
}

function isNumbered(rows: HeldSet): boolean {
  return rows.some((row) => Object.hasOwn(row, lineKey));
}

function lineOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A JSON file that is no table, or JSONL that holds a line which is no JSON. */
export const invalidData: NodeError = {
  code: 'InvalidUserData',
  message:
    'Fail to load invalid data. We support file formats: csv, tsv, json, jsonl, parquet. Please check input data.',
  retryable: false,
};

function incorrect(why: string): NodeError {
  return {
    code: 'InputMappingError',
    message: `The input for batch run is incorrect. ${why}`,
    retryable: false,
  };
}

const emptySet = (name: string): string =>
  `Input from key '${name}' is an empty list, which means we cannot generate a single line input for the flow run. Please rectify the input and try again.`;

const linesNotAligned = (lengths: Readonly<Record<string, number>>): string =>
  `Line numbers are not aligned. Some lists have dictionaries missing the 'line_number' key, and the lengths of these lists are different. List lengths are: ${pythonRepr(lengths)}. Please make sure these lists have the same length or add 'line_number' key to each dictionary.`;

const noCompleteLine =
  'Could not find one complete line on the provided input. Please ensure that you supply data on the same line to resolve this issue.';
