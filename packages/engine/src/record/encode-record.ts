import { printJson, type Value, type Values } from '../value/json.ts';
import { isWorthReferring, type KnownValues, type ValueReference } from './known-values.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { textHash } from './value-hash.ts';

/** The payload of a record as one JSON text, and the digests of what it holds. */
export interface EncodedRecord {
  readonly text: string;
  readonly outputHash: string;
  readonly inputsHash: string;
}

/**
 * A payload is a JSON mapping of single letters: `i` inputs in full, those that are references left as 0; `r` references
 * of inputs by name; `o` the output, `p` the reference that stands for it; `x` the rest of the record. They come in this
 * order and without white space, so that what comes late can be passed over (`payload-bytes.ts`).
 *
 * @param known values of the row so far, which are added to; without it nothing is referred to
 */
export function encodeNode(run: NodeRun, id: number, known: KnownValues | undefined): EncodedRecord {
  const { inputs, output, error } = run;
  const fields = inputs === undefined ? noFields : printFields(inputs, known, id);
  const parts = inputs === undefined ? [] : fieldParts(fields);
  const outputText = output === undefined ? 'null' : pushOutput(parts, output, id, known);
  const rest = restOf(run, nodeColumns);
  if (rest !== undefined) parts.push(`"x":${printJson(rest)}`);
  return {
    text: `{${parts.join(',')}}`,
    outputHash: resultHash(outputText, error),
    inputsHash: hashOf(fields.whole),
  };
}

/** @returns the output's JSON */
function pushOutput(parts: string[], output: Value, id: number, known: KnownValues | undefined): string {
  const seen = known?.find(output);
  const text = seen?.text ?? printJson(output);
  if (seen !== undefined && isWorthReferring(text)) {
    parts.push(`"p":${JSON.stringify(seen.reference)}`);
    return text;
  }
  parts.push(`"o":${text}`);
  const reference: ValueReference = [id, 0];
  known?.add(output, reference, text);
  if (isWorthReferring(text)) known?.addParts(output, reference);
  return text;
}

/** As `encodeNode`; `o` is a mapping by name, `q` the references in it. */
export function encodeRow(row: RowRun, known: KnownValues | undefined): EncodedRecord {
  const inputs = printFields(row.inputs, known, undefined);
  const outputs = printFields(row.outputs, known, undefined);
  const parts = [...fieldParts(inputs), `"o":${outputs.kept}`];
  if (outputs.references !== '') parts.push(`"q":{${outputs.references}}`);
  const rest = restOf(row, rowColumns);
  if (rest !== undefined) parts.push(`"x":${printJson(rest)}`);
  return {
    text: `{${parts.join(',')}}`,
    outputHash: resultHash(outputs.whole, row.error),
    inputsHash: hashOf(inputs.whole),
  };
}

interface PrintedFields {
  /** The mapping's JSON. */
  readonly whole: string;
  /** The same with 0 in place of what is referred to. */
  readonly kept: string;
  readonly references: string;
}

const noFields: PrintedFields = { whole: '{}', kept: '{}', references: '' };

/** @param id node whose inputs these are; where it is given, values in full are known from now on */
function printFields(values: Values, known: KnownValues | undefined, id: number | undefined): PrintedFields {
  const whole: string[] = [];
  const kept: string[] = [];
  const references: string[] = [];
  for (const name in values) {
    const value = values[name];
    if (value === undefined) continue;
    const key = printKey(name);
    const seen = known?.find(value);
    const text = seen?.text ?? printJson(value);
    whole.push(key + text);
    const isReferred = seen !== undefined && isWorthReferring(text);
    kept.push(isReferred ? `${key}0` : key + text);
    if (isReferred) references.push(key + JSON.stringify(seen.reference));
    else if (id !== undefined) known?.add(value, [id, 1, name], text);
  }
  const all = `{${whole.join(',')}}`;
  if (references.length === 0) return { whole: all, kept: all, references: '' };
  return { whole: all, kept: `{${kept.join(',')}}`, references: references.join(',') };
}

function fieldParts({ kept, references }: PrintedFields): string[] {
  return references === '' ? [`"i":${kept}`] : [`"i":${kept}`, `"r":{${references}}`];
}

/** What has no column and no letter of its own. */
function restOf(record: object, columns: ReadonlySet<string>): Values | undefined {
  let rest: Record<string, Value> | undefined;
  for (const name in record) {
    const value = record[name as never] as Value | undefined;
    if (value === undefined || columns.has(name)) continue;
    rest ??= {};
    rest[name] = value;
  }
  return rest;
}

const shared = ['line', 'repeat', 'status', 'inputs', 'startedAt', 'durationMs'];
const nodeColumns: ReadonlySet<string> = new Set([...shared, 'node', 'kind', 'output', 'fingerprint']);
const rowColumns: ReadonlySet<string> = new Set([...shared, 'outputs']);

const keys = new Map<string, string>();

/** `"name":`; names of inputs are few, and the same in every row. */
function printKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = `${JSON.stringify(name)}:`;
  if (keys.size < 1000) keys.set(name, key);
  return key;
}

const commonHashes = new Map<string, string>();

/** Hashes of what most records hold are worked out once. */
function hashOf(text: string): string {
  if (text !== '{}' && text !== 'null') return textHash(text);
  const known = commonHashes.get(text) ?? textHash(text);
  commonHashes.set(text, known);
  return known;
}

function resultHash(text: string, error: NodeRun['error']): string {
  return hashOf(error === undefined ? text : printJson({ error: error.code, message: error.message }));
}
