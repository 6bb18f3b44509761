import {
  completeMapping,
  cutText,
  type DataRow,
  didYouMean,
  type JsonObject,
  keepsDefault,
  mapColumnsFirst,
  mappingNotFound,
  mapRow,
  type NamedSets,
  nearestName,
  type Plan,
  referencesInTexts,
} from '@unroll/engine';
import { unknownInputs } from '../flows/test-inputs.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { columnReference, mappingText } from './mapping-text.ts';

export interface RowMapping {
  readonly mapping: JsonObject;
  /** Inputs that keep their default where a row has no such column. */
  readonly optional: ReadonlySet<string>;
  /** That no row has any column for them is told. */
  readonly areMissingReported: boolean;
}

/** In a Prompt flow a default comes before a column of the same name; in a flow of ours the column does. */
export function rowMapping(
  plan: Plan,
  settings: BulkSettings,
  row: DataRow,
  host: Pick<ProjectHost, 'report'>,
): RowMapping {
  const { columnMapping = {}, columnsFirst = !plan.isStandard, areColumnsReported = false } = settings;
  const columns = 'values' in row ? row.values : undefined;
  const tell = (message: string): void => notify(host, { kind: 'warning', message });
  const isUsed = plan.inputs.some(
    ({ name }) => Object.hasOwn(columnMapping, name) || Object.hasOwn(columns ?? {}, name),
  );
  const isNoneUsed = columns !== undefined && settings.data !== undefined && plan.takesAnyInput !== true && !isUsed;
  const likely = isNoneUsed ? likelyColumn(plan, columns) : undefined;
  const isReported = likely === undefined ? columnsFirst || hasColumns(columns) : !areColumnsReported;
  if (isNoneUsed && isReported) tell(noColumnUsed(plan, columns, likely, settings));
  for (const message of mappingDoubts(plan, settings)) tell(message);
  if (columnsFirst) {
    const mapped = mapColumnsFirst(plan.inputs, columnMapping);
    return { ...mapped, areMissingReported: isNoneUsed || areColumnsReported };
  }
  const passedOver = plan.inputs.filter(
    (input) =>
      keepsDefault(input) && !Object.hasOwn(columnMapping, input.name) && Object.hasOwn(columns ?? {}, input.name),
  );
  if (passedOver.length > 0)
    tell(
      columnsPassedOver(
        passedOver.map(({ name }) => name),
        settings,
      ),
    );
  const unseen = unseenInputs(plan, columns);
  const mapping = completeMapping(plan.inputs, { ...unseen, ...columnMapping });
  const ofSample = plan.inputs.filter(({ name, isOfSample }) => isOfSample && !Object.hasOwn(columnMapping, name));
  const optional = new Set([...Object.keys(unseen), ...ofSample.map(({ name }) => name)]);
  return { mapping, optional, areMissingReported: false };
}

/** Rows of nothing, or of their number alone, say how often a flow of defaults is to run. */
function hasColumns(columns: JsonObject = {}): boolean {
  return Object.keys(columns).some((name) => name !== 'line_number');
}

/** Each other column of the data, for code whose parameters cannot be seen. */
function unseenInputs({ inputs, takesAnyInput }: Plan, columns: JsonObject = {}): JsonObject {
  const names = takesAnyInput === true ? Object.keys(columns) : [];
  const other = names.filter((column) => inputs.every(({ name }) => name !== column));
  return Object.fromEntries(other.map((name) => [name, `\${data.${name}}`]));
}

function columnsPassedOver(names: readonly string[], settings: BulkSettings): string {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  const columns = Object.fromEntries(names.map((name) => [name, columnReference(name)]));
  return (
    `the flow's own default is used for ${quoted}, not the column of that name\n` +
    `      to use the column: ${mappingText(columns, settings)}`
  );
}

function mappingDoubts({ inputs }: Plan, settings: BulkSettings): readonly string[] {
  const { columnMapping = {} } = settings;
  const known = inputs.map(({ name }) => name);
  return [
    // Code whose parameters cannot be seen takes whatever a mapping names.
    ...(known.length > 0 ? unknownInputs(columnMapping, known) : []),
    ...referencesInTexts(columnMapping).map(({ input, text }) => textNotReference(input, text, settings)),
  ];
}

function textNotReference(input: string, text: string, settings: BulkSettings): string {
  return (
    `"${input}" is the text ${JSON.stringify(cutText(text, 60))} in each row: a column is read where nothing stands beside its reference\n` +
    `      for instance ${mappingText({ [input]: columnReference('COLUMN') }, settings)}`
  );
}

/** A column that is called nearly as an input, with the question whether it was meant. */
function likelyColumn({ inputs }: Plan, columns: JsonObject): string | undefined {
  const found = inputs.map(({ name }) => didYouMean(name, Object.keys(columns)));
  return found.find((question) => question !== undefined);
}

function noColumnUsed(
  { inputs }: Plan,
  columns: JsonObject,
  likely: string | undefined,
  settings: BulkSettings,
): string {
  const [first] = inputs;
  const known = Object.keys(columns).join(', ') || 'none';
  return (
    `the first row has no column named like an input of the flow, so the flow's defaults are used (columns: ${known})\n` +
    (likely === undefined ? '' : `      ${likely}\n`) +
    `      to use a column: ${mappingText({ [first?.name ?? 'INPUT']: columnReference('COLUMN') }, settings)}`
  );
}

/** @throws ProjectFailure when the first row has not what a mapping names */
export async function refuseUnmapped(
  row: DataRow,
  mapping: JsonObject,
  others: (line: number) => NamedSets | undefined | Promise<NamedSets | undefined>,
  { optional, isTable = false }: { readonly optional: ReadonlySet<string>; readonly isTable?: boolean | undefined },
): Promise<void> {
  if ('problem' in row) return;
  const beside = await others(row.line);
  if (beside === undefined) return;
  const mapped = mapRow({ ...beside, data: row.values }, mapping, optional);
  if (mapped.ok) return;
  const { code, message } = mappingNotFound(mapped.notFound);
  const sets = { ...beside, data: row.values };
  const likely = mapped.notFound.flatMap((source) => likelyReference(source, sets));
  const columns = Object.entries(sets)
    .map(([set, values]) => `${set}: ${Object.keys(values).join(', ') || 'no columns'}`)
    .join('\n  ');
  const there =
    likely.length === 0
      ? `What there is:\n  ${columns}`
      : `did you mean ${likely.join(', ')}?\nWhat there is:\n  ${columns}`;
  const help = (isTable ? partedOtherwise(row.values) : undefined) ?? there;
  throw new ProjectFailure(message, { code, help });
}

/** A table of which the whole line was read as one column: Excel writes semicolons where a comma stands in numbers. */
function partedOtherwise(columns: JsonObject): string | undefined {
  const [only = '', ...others] = Object.keys(columns);
  if (others.length > 0 || !/[;\t|]/.test(only)) return undefined;
  return `The data has one column, "${only}": save it with commas between its columns, or with tabs as .tsv.`;
}

/** The column that was probably meant by a reference to one that is not there. */
function likelyReference(source: string, sets: NamedSets): readonly string[] {
  return Object.entries(sets).flatMap(([set, columns]) => {
    const start = `\${${set}.`;
    const near = source.startsWith(start)
      ? nearestName(source.slice(start.length, -1), Object.keys(columns))
      : undefined;
    return near === undefined ? [] : [`"${start}${near}}"`];
  });
}
