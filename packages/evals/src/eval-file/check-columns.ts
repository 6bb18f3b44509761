import { type DataRow, type Diagnostic, didYouMean, type Value } from '@unroll/engine';
import { problem } from './eval-problem.ts';
import type { PartialEval } from './eval-spec.ts';
import type { Measurable } from './resolve-target.ts';

interface WantedColumn {
  readonly column: string;
  readonly path: readonly string[];
  readonly message: string;
  /** Names that would do as well. */
  readonly others: readonly string[];
}

/** What `key` and `column_mapping` name and neither data nor flow have. Reads rows until each column was seen in one. */
export async function checkColumns(
  spec: PartialEval,
  { inputs }: Pick<Measurable, 'inputs'>,
  rows: AsyncIterable<DataRow>,
): Promise<readonly Diagnostic[]> {
  const wanted = [...wantedByKey(spec, inputs), ...wantedByMapping(spec)];
  const missing = await missingColumns(wanted, rows);
  const columns = missing.wanted.map(({ column, path, message, others }) => {
    const known = [...new Set([...missing.known, ...others])];
    return problem(spec, 'EVAL_UNKNOWN_COLUMN', message, {
      path,
      help: didYouMean(column, known) ?? `there are ${known.join(', ')}`,
    });
  });
  return [...unknownInputs(spec, inputs), ...columns];
}

/** Inputs of a recorded run are not known by name: then a key may be one. */
function wantedByKey({ key }: PartialEval, inputs: readonly string[] | undefined): readonly WantedColumn[] {
  if (key === undefined || inputs === undefined || inputs.includes(key)) return [];
  const message = `the key "${key}" is no column of the data and no input of the flow`;
  return [{ column: key, path: ['key'], message, others: inputs }];
}

function wantedByMapping({ columnMapping = {} }: PartialEval): readonly WantedColumn[] {
  return Object.entries(columnMapping).flatMap(([input, value]) => {
    const column = columnIn(value);
    if (column === undefined) return [];
    return [{ column, path: ['column_mapping', input], message: `no row of the data has "${column}"`, others: [] }];
  });
}

/** What lies deeper in a column is left to the run. */
function columnIn(value: Value): string | undefined {
  return typeof value === 'string' ? /^\$\{data\.([^.[\]{}]+)\}$/.exec(value)?.[1] : undefined;
}

function unknownInputs(spec: PartialEval, inputs: readonly string[] | undefined): readonly Diagnostic[] {
  if (inputs === undefined) return [];
  return Object.keys(spec.columnMapping ?? {}).flatMap((input) => {
    if (inputs.includes(input)) return [];
    const help = didYouMean(input, inputs) ?? `it has ${inputs.length === 0 ? 'none' : inputs.join(', ')}`;
    const place = { path: ['column_mapping', input], part: 'key', help } as const;
    return [problem(spec, 'EVAL_UNKNOWN_COLUMN', `the flow has no input "${input}"`, place)];
  });
}

async function missingColumns(
  wanted: readonly WantedColumn[],
  rows: AsyncIterable<DataRow>,
): Promise<{ readonly wanted: readonly WantedColumn[]; readonly known: ReadonlySet<string> }> {
  const known = new Set<string>();
  let open = wanted;
  if (open.length > 0) {
    for await (const row of rows) {
      if ('problem' in row) continue;
      for (const name of Object.keys(row.values)) known.add(name);
      open = open.filter(({ column }) => !known.has(column));
      if (open.length === 0) break;
    }
  }
  return { wanted: open, known };
}
