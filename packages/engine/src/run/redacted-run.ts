import type { NodeError } from '../node/node-error.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { secretMark } from '../secrets/secret-patterns.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

/** Fields that say which record it is and how it went: nothing from outside is in them. */
const plainFields: ReadonlySet<string> = new Set<keyof NodeRun>([
  'line',
  'repeat',
  'node',
  'kind',
  'status',
  'startedAt',
  'durationMs',
  'usage',
  'cache',
  'cachedFrom',
  'fingerprint',
  'oracle',
  'notKept',
  'inexact',
]);

/** Texts about a call: keys that nobody told are taken out too, by their form. */
const messageFields: ReadonlySet<string> = new Set<keyof NodeRun>(['error', 'attempts', 'logs', 'warnings']);

/** Fields with inputs by name. */
const inputFields: ReadonlySet<string> = new Set<keyof NodeRun>(['inputs', 'changed']);

/** Fields that nothing goes on from. */
const toldFields: ReadonlySet<string> = new Set<keyof NodeRun>(['inputs', 'promptMessages', 'pieces', 'reads']);

const nothing: ReadonlySet<string> = new Set();

/**
 * The record as it may be told; the same object where it holds no secret. A record that held one stands in for nothing later.
 *
 * @param hidden names of inputs of the node that are told nowhere, whatever they are
 */
export function redactedRun(run: NodeRun, redactor: Redactor, hidden = nothing): NodeRun {
  const changed: Record<string, unknown> = {};
  const redacted: string[] = [];
  for (const name in run) {
    if (plainFields.has(name)) continue;
    const value = run[name as keyof NodeRun] as JsonValue | undefined;
    const shown = redactedField(name, withoutHidden(name, value, hidden), redactor);
    if (shown === value) continue;
    changed[name] = shown;
    if (!messageFields.has(name)) redacted.push(name);
  }
  if (redacted.length === 0) return Object.keys(changed).length === 0 ? run : { ...run, ...changed };
  const { fingerprint: _of, ...rest } = run;
  const goesOn = redacted.every((name) => toldFields.has(name));
  const notKept = run.notKept ?? 'it holds a secret';
  return { ...rest, ...changed, redacted, notKept, ...(goesOn ? {} : { inexact: 'redacted' }) };
}

/** @param hidden names of inputs that are told nowhere, whatever they are */
export function redactedRow(row: RowRun, redactor: Redactor, hidden = nothing): RowRun {
  const { inputs, outputs, error } = row;
  const redacted = { inputs: redactor.value(hiddenValues(inputs, hidden)), outputs: redactor.value(outputs) };
  const failure = error === undefined ? undefined : redactedError(error, redactor);
  if (redacted.inputs === inputs && redacted.outputs === outputs && failure === error) return row;
  return { ...row, ...redacted, ...(failure === undefined ? {} : { error: failure }) };
}

function withoutHidden(name: string, value: JsonValue | undefined, hidden: ReadonlySet<string>): JsonValue | undefined {
  return inputFields.has(name) ? hiddenValues(value as JsonObject, hidden) : value;
}

/** The mapping with a mark in the place of each value that is hidden; the same object where there is none. Nothing is no secret. */
function hiddenValues(values: JsonObject, hidden: ReadonlySet<string>): JsonObject {
  const isHidden = ([name, value]: readonly [string, JsonValue]): boolean =>
    hidden.has(name) && value !== null && value !== '';
  const entries = hidden.size === 0 ? [] : Object.entries(values);
  if (!entries.some(isHidden)) return values;
  return Object.fromEntries(entries.map((entry) => (isHidden(entry) ? [entry[0], secretMark] : entry)));
}

/** The failure without secrets; its code stays. */
export function redactedError<Failure extends NodeError>(error: Failure, redactor: Redactor): Failure {
  const { code, retryable, ...texts } = error as NodeError;
  const redacted = redactor.messageValue(texts as unknown as JsonObject);
  return (redacted as unknown) === texts ? error : ({ ...error, ...redacted } as Failure);
}

function redactedField(name: string, value: JsonValue | undefined, redactor: Redactor): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (name === 'error') return redactedError(value as unknown as NodeError, redactor) as unknown as JsonValue;
  if (name === 'attempts') return redactedAttempts(value as unknown as Attempts, redactor) as unknown as JsonValue;
  if (messageFields.has(name)) return redactor.messageValue(value);
  const redacted = redactor.value(value);
  return redacted === value ? joinedPieces(value, redactor) : redacted;
}

type Attempts = NonNullable<NodeRun['attempts']>;

function redactedAttempts(attempts: Attempts, redactor: Redactor): Attempts {
  const redacted = attempts.map((one) => {
    const error = one.error === undefined ? undefined : redactedError(one.error, redactor);
    return error === one.error || error === undefined ? one : { ...one, error };
  });
  return redacted.some((one, at) => one !== attempts[at]) ? redacted : attempts;
}

/** What code gives in pieces is recorded as a list of them, and a secret may stand across two. */
function joinedPieces(value: JsonValue, redactor: Redactor): JsonValue {
  if (
    redactor.isEmpty ||
    !Array.isArray(value) ||
    value.length < 2 ||
    !value.every((piece) => typeof piece === 'string')
  )
    return value;
  const whole = value.join('');
  const redacted = redactor.text(whole);
  return redacted === whole ? value : [redacted];
}
