import { type JsonObject, type JsonValue, stringifyJson } from '../value/json.ts';
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
 * of inputs by name; `o` the output, `p` the reference that stands for it; `x` the rest of the record, `f` the
 * fingerprint.
 *
 * @param ofRow values of the row so far, which are added to; without it nothing is referred to
 */
export function encodeNode(run: NodeRun, id: number, ofRow: KnownValues | undefined): EncodedRecord {
  const { inputs, output, error, fingerprint } = run;
  const known = isTakenBack(run) ? undefined : ofRow;
  const fields = inputs === undefined ? noFields : printFields(inputs, known, id);
  const parts = inputs === undefined ? [] : fieldParts(fields);
  const outputText = output === undefined ? 'null' : pushOutput(parts, output, id, known);
  const rest = restOfNode(run);
  if (rest !== undefined) parts.push(`"x":${stringifyJson(rest)}`);
  if (fingerprint !== undefined) parts.push(`"f":"${fingerprint}"`);
  return {
    text: `{${parts.join(',')}}`,
    outputHash: resultHash(outputText, error),
    inputsHash: textHash(fields.whole),
  };
}

/** When its row is run again; what stays of the row must not refer to it. */
function isTakenBack({ status, inexact }: NodeRun): boolean {
  return status !== 'Completed' || inexact !== undefined;
}

/** @returns the output's JSON */
function pushOutput(parts: string[], output: JsonValue, id: number, known: KnownValues | undefined): string {
  const seen = known?.find(output);
  const text = seen?.text ?? stringifyJson(output);
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
  const { unfinished } = row;
  const rest = unfinished === undefined && row.error === undefined ? undefined : { error: row.error, unfinished };
  if (rest !== undefined) parts.push(`"x":${stringifyJson(rest as unknown as JsonValue)}`);
  return {
    text: `{${parts.join(',')}}`,
    outputHash: resultHash(outputs.whole, row.error),
    inputsHash: textHash(inputs.whole),
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
function printFields(values: JsonObject, known: KnownValues | undefined, id: number | undefined): PrintedFields {
  const whole: string[] = [];
  const kept: string[] = [];
  const references: string[] = [];
  for (const name in values) {
    const value = values[name];
    if (value === undefined) continue;
    const key = `${JSON.stringify(name)}:`;
    const seen = known?.find(value);
    const text = seen?.text ?? stringifyJson(value);
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
function restOfNode({
  line: _line,
  repeat: _repeat,
  node: _node,
  kind: _kind,
  status: _status,
  inputs: _inputs,
  output: _output,
  startedAt: _startedAt,
  durationMs: _durationMs,
  fingerprint: _fingerprint,
  // Told while a row runs, not kept.
  pieces: _pieces,
  // Kept once a node.
  reads: _reads,
  ...rest
}: NodeRun): JsonObject | undefined {
  return Object.values(rest).every((value) => value === undefined) ? undefined : (rest as unknown as JsonObject);
}

function resultHash(text: string, error: NodeRun['error']): string {
  if (error === undefined) return textHash(text);
  return textHash(stringifyJson({ error: error.code, message: error.message }));
}
