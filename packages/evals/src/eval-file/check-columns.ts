import { type DataRow, type Diagnostic, didYouMean, type JsonValue } from '@unroll/engine';
import { problem } from './eval-problem.ts';
import type { PartialEval } from './eval-spec.ts';
import type { Measurable } from './resolve-target.ts';

interface WantedColumn {
  readonly column: string;
  readonly path: readonly string[];
  readonly message: string;
  /** Names that would do as well. */
  readonly others: readonly string[];
  /** There is a default in its place: only a column that is called nearly so, and feeds nothing, is a doubt. */
  readonly hasDefault?: boolean;
}

export interface CheckedInputs extends Pick<Measurable, 'inputs'> {
  /** Of a flow that will be run; undefined for a run that is there. */
  readonly flowInputs?: readonly { readonly name: string; readonly default?: JsonValue }[] | undefined;
}

/** What `key` and `column_mapping` name and neither data nor flow have. Reads rows until each column was seen in one. */
export async function checkColumns(
  spec: PartialEval,
  { inputs, flowInputs = [] }: CheckedInputs,
  rows: AsyncIterable<DataRow>,
): Promise<readonly Diagnostic[]> {
  const wanted = [...wantedByKey(spec, inputs), ...wantedByMapping(spec), ...wantedByFlow(spec, flowInputs)];
  const missing = await missingColumns(wanted, rows);
  const fed = new Set(wanted.map(({ column }) => column));
  const unread = [...missing.known].filter((column) => !fed.has(column));
  const columns = missing.wanted.flatMap(({ column, path, message, others, hasDefault }): readonly Diagnostic[] => {
    const nearest = didYouMean(column, hasDefault === true ? unread : [...missing.known, ...others]);
    if (hasDefault === true) {
      if (nearest === undefined) return [];
      return [{ ...problem(spec, 'EVAL_UNKNOWN_COLUMN', message, { path, help: nearest }), severity: 'warning' }];
    }
    const help = nearest ?? `there are ${[...new Set([...missing.known, ...others])].join(', ')}`;
    return [problem(spec, 'EVAL_UNKNOWN_COLUMN', message, { path, help })];
  });
  return [...unknownInputs(spec, inputs), ...strangeMappings(spec), ...columns];
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

/** Prompt flow's mappings may read the outputs of another run; an evaluation has its data alone. */
function strangeMappings(spec: PartialEval): readonly Diagnostic[] {
  return Object.entries(spec.columnMapping ?? {}).flatMap(([input, value]) => {
    const [, root] = typeof value === 'string' ? (/^\$\{([^.{}]+)[^{}]*\}$/.exec(value) ?? []) : [];
    if (root === undefined || root === 'data') return [];
    const help = 'write ${data.column}, or a literal; to score a run that is there: run: in place of flow';
    const place = { path: ['column_mapping', input], help };
    return [
      problem(spec, 'EVAL_UNKNOWN_COLUMN', `a column mapping reads the data, and "${value}" is none of it`, place),
    ];
  });
}

/** Inputs that no mapping gives come from the columns of their names. */
function wantedByFlow(
  { columnMapping = {} }: PartialEval,
  inputs: NonNullable<CheckedInputs['flowInputs']>,
): readonly WantedColumn[] {
  return inputs.flatMap(({ name, default: byDefault }): readonly WantedColumn[] => {
    if (Object.hasOwn(columnMapping, name)) return [];
    const hasDefault = byDefault !== undefined;
    const outcome = hasDefault ? 'its default is taken in every row' : 'it has no default';
    const message = `no row of the data has the input "${name}" of the flow: ${outcome}`;
    return [{ column: name, path: ['data'], message, others: [], hasDefault }];
  });
}

/** What lies deeper in a column is left to the run. */
function columnIn(value: JsonValue): string | undefined {
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
