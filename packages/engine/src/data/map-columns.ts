import type { FlowInputSpec } from '../flow/flow-spec.ts';
import type { NodeError } from '../node/node-error.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';

/** Sets a mapping may name, each for one row: `data`, `run.inputs`, `run.outputs`. */
export type NamedSets = Readonly<Record<string, JsonObject>>;

/** What each input of a flow is taken from: `${set.column}`, or a literal. */
export type ColumnMapping = JsonObject;

const reserved = 'line_number';
const none: ReadonlySet<string> = new Set();

export type MappedRow =
  | { readonly ok: true; readonly inputs: JsonObject }
  /** Relations as written that name a set or column the row does not have. */
  | { readonly ok: false; readonly notFound: readonly string[] };

/**
 * A mapping made whole: each input of the flow without a default takes the `data` column of its name. A default wins
 * over a column of the same name, a written mapping over both. Of code that is a
 * flow, the default that counts is the code's own.
 */
export function completeMapping(
  inputs: readonly (Pick<FlowInputSpec, 'name'> & OwnDefault)[],
  written: ColumnMapping = {},
): ColumnMapping {
  const columns = inputs.filter((input) => !keepsDefault(input)).map(({ name }) => [name, `\${data.${name}}`] as const);
  return { ...Object.fromEntries(columns), ...written };
}

/** Whether the input keeps its default where the data has a column of its name and no mapping is written for it. */
export function keepsDefault(input: OwnDefault): boolean {
  const { default: fallback = null, isOfSample = false, hasOwnDefault = fallback !== null && !isOfSample } = input;
  return hasOwnDefault;
}

type OwnDefault = Pick<FlowInputSpec, 'default' | 'hasOwnDefault' | 'isOfSample'>;

/**
 * A mapping made whole where columns come before defaults: every input takes the `data` column of its name.
 *
 * @returns the mapping, and the inputs that keep their default where a row has no such column
 */
export function mapColumnsFirst(
  inputs: readonly Pick<FlowInputSpec, 'name' | 'default'>[],
  written: ColumnMapping = {},
): { readonly mapping: ColumnMapping; readonly optional: ReadonlySet<string> } {
  const columns = inputs.map(({ name }) => [name, `\${data.${name}}`] as const);
  const withDefault = inputs.filter(({ name, default: own = null }) => own !== null && !Object.hasOwn(written, name));
  return {
    mapping: { ...Object.fromEntries(columns), ...written },
    optional: new Set(withDefault.map(({ name }) => name)),
  };
}

/**
 * Inputs of one row by a mapping; a mapping of `line_number` is left out.
 *
 * @param optional inputs that are left to their defaults where the row has no such column
 */
export function mapRow(sets: NamedSets, mapping: ColumnMapping, optional: ReadonlySet<string> = none): MappedRow {
  const inputs: [name: string, value: JsonValue][] = [];
  const notFound: string[] = [];
  for (const [name, source] of Object.entries(mapping)) {
    if (name === reserved) continue;
    const found = sourceValue(sets, source);
    if (found !== undefined) inputs.push([name, found.value]);
    else if (!optional.has(name)) notFound.push(String(source));
  }
  return notFound.length === 0 ? { ok: true, inputs: Object.fromEntries(inputs) } : { ok: false, notFound };
}

function sourceValue(sets: NamedSets, source: JsonValue): { readonly value: JsonValue } | undefined {
  const reference = typeof source === 'string' ? referenceIn(source) : undefined;
  if (reference === undefined) return { value: source };
  return columnOf(sets, reference);
}

/** What stands in `${…}`, with the end of a line behind it too, as blocks of YAML (`|`) end with one. */
function referenceIn(written: string): string | undefined {
  const source = written.endsWith('\n') ? written.slice(0, -1) : written;
  const isReference = source.startsWith('${') && source.endsWith('}') && !/[{}]/.test(source.slice(2, -1));
  return isReference && source.length > 3 ? source.slice(2, -1) : undefined;
}

/** Inputs that are given a text with the beginning of a reference in it, `${data.x` or `about ${data.x}`: it is no reference, and goes on as it is. */
export function referencesInTexts(
  mapping: ColumnMapping,
): readonly { readonly input: string; readonly text: string }[] {
  return Object.entries(mapping).flatMap(([input, text]) => {
    const isMeant = typeof text === 'string' && /\$\{(?:data|run\.(?:inputs|outputs))\./.test(text);
    return isMeant && referenceIn(text) === undefined ? [{ input, text }] : [];
  });
}

/** The set whose name has the fewest dots wins. */
function columnOf(sets: NamedSets, reference: string): { readonly value: JsonValue } | undefined {
  for (let dot = reference.indexOf('.'); dot >= 0; dot = reference.indexOf('.', dot + 1)) {
    const name = reference.slice(0, dot);
    const set = ownValue(sets, name);
    const column = reference.slice(dot + 1);
    if (set !== undefined && Object.hasOwn(set, column)) return { value: set[column] ?? null };
  }
  return undefined;
}

/** The names of sets a mapping reads. */
export function setsOf(mapping: ColumnMapping, known: readonly string[]): ReadonlySet<string> {
  const references = Object.values(mapping).flatMap((source) =>
    typeof source === 'string' ? (referenceIn(source) ?? []) : [],
  );
  return new Set(known.filter((set) => references.some((reference) => reference.startsWith(`${set}.`))));
}

const docs = 'https://aka.ms/pf/column-mapping';

export function mappingNotFound(relations: readonly string[]): NodeError {
  return {
    code: 'ApplyInputMappingError',
    message: `The input for batch run is incorrect. Couldn't find these mapping relations: ${relations.join(', ')}. Please make sure your input mapping keys and values match your YAML input section and input data. For more information, refer to the following documentation: ${docs}`,
    retryable: false,
  };
}

/** @param paths of each set, by its name */
export function noData(paths: Readonly<Record<string, string>>): NodeError {
  const listed = Object.entries(paths).map(([name, path]) => `${name}: ${path}`);
  return {
    code: 'EmptyInputsData',
    message: `Couldn't find any inputs data at the given input paths. Please review the provided path and consider resubmitting.\n${listed.join('\n')}`,
    retryable: false,
  };
}

/** A flow without inputs has no rows to run over. */
export function noFlowInputs(): NodeError {
  const message = 'The input for flow cannot be empty in batch mode. Please review your flow and provide valid inputs.';
  return {
    code: 'InputNotFound',
    message,
    retryable: false,
  };
}
