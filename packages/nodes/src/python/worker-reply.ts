import { depthMessage, type JsonObject, type JsonValue, type SharedPlace, withSharedPlaces } from '@unroll/engine';
import { type ModelCalls, reportOfCalls } from '../openai/calls-of-code.ts';
import type { GivenRead, PythonHandle } from '../python-objects/python-handle.ts';

/** What the worker answers: a value, or the user's exception; `crashed` when there is no worker any more. */
export type Reply =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly report: ReplyReport;
      readonly changed?: JsonObject;
      readonly kept?: JsonObject;
      readonly live?: readonly string[];
      readonly shared?: readonly SharedPlace[];
      readonly shown?: string;
      /** The value is a copy of an object that JSON does not give again. */
      readonly inexact?: 'copied';
      /** The object itself where the value is a text or a number, of a class of its own. */
      readonly scalar?: PythonHandle;
    }
  | { readonly ok: false; readonly failure: PythonFailure; readonly report: ReplyReport }
  | { readonly ok: false; readonly crashed: string; readonly stderr: string };

export interface ReplyReport {
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly metrics?: { readonly [key: string]: JsonValue };
  readonly modelCalls?: ModelCalls;
}

/** An exception of Python; `isPlain` where it is told as it is, and not as a failure of the node that raised it. */
export interface PythonFailure {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly string[];
  readonly isPlain?: true;
  readonly cause?: { readonly type: string; readonly message: string };
  /** What it was raised from, each with its class, nearest first. */
  readonly from?: readonly string[];
  /** It, or what it was raised from, is what a network that fails or a service under load raises. */
  readonly mayPass?: true;
}

/** What reading an object of the worker came to. */
export function readOf(reply: Reply): GivenRead {
  if (!reply.ok && 'crashed' in reply) return { ok: false, error: { type: 'WorkerCrashed', message: reply.crashed } };
  const { modelCalls } = reply.report;
  const calls = modelCalls === undefined ? {} : { report: reportOfCalls(modelCalls) as unknown as JsonObject };
  if (reply.ok) return { ok: true, value: reply.value, ...(reply.scalar && { original: reply.scalar }), ...calls };
  return { ok: false, error: { type: reply.failure.type, message: reply.failure.message }, ...calls };
}

const idPattern = /^\{"id":(\d+),/;

/** A reply whose value is too deep to be read is its call's failure. */
export function tooDeep(line: string): WireReply | undefined {
  const [, id] = idPattern.exec(line) ?? [];
  if (id === undefined) return undefined;
  const error = { type: 'ValueError', message: `its output is ${depthMessage()}`, frames: [] };
  return { id: Number(id), ok: false, value: null, error };
}

export function isReply(value: JsonValue): boolean {
  const { id, ok, text, error } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    JsonValue
  >;
  if (typeof id !== 'number') return false;
  return ok === true || typeof text === 'string' || (ok === false && typeof error === 'object' && error !== null);
}

export function replyOf(message: WireReply, scalar: PythonHandle | undefined): Reply {
  const { ok, error, logs, metrics, modelCalls, changed, kept, live, shared, shown } = message;
  const report: ReplyReport = {
    ...(logs !== undefined && { logs }),
    ...(metrics !== undefined && { metrics }),
    ...(modelCalls !== undefined && { modelCalls }),
  };
  if (!ok) return { ok, failure: error, report };
  const marks = {
    ...(changed !== undefined && { changed }),
    ...(kept !== undefined && { kept: valuesOf(kept) }),
    ...(live !== undefined && { live }),
    ...(shared !== undefined && { shared }),
    ...(shown !== undefined && { shown }),
    ...(scalar !== undefined && { scalar }),
  };
  return { ok, value: withOwnPlaces(message), report, ...marks, ...(isCopied(message) && { inexact: 'copied' }) };
}

function isCopied({ original, exact, copied }: WireReply): boolean {
  return copied === true || (original !== undefined && exact !== true);
}

/** The value with one object where code gave one in two places. A copy of an object that is kept stays the very copy that is known as such. */
function withOwnPlaces({ value, original, shared = [] }: WireReply): JsonValue {
  if (original !== undefined) return value;
  const within = shared.filter(({ at, from }) => at.input === undefined && from.input === undefined);
  return within.length === 0 ? value : withSharedPlaces(value, within, {});
}

function valuesOf(kept: KeptInputs): JsonObject {
  return Object.fromEntries(Object.entries(kept).map(([name, { value }]) => [name, value]));
}

/** Inputs that others read through an object from now on: as they are now, and the numbers that they are kept by. */
interface KeptInputs {
  readonly [input: string]: { readonly id: number; readonly value: JsonValue };
}

export interface WireReply {
  readonly id: number;
  /** A piece of a stream; the reply itself comes after the last one. */
  readonly text?: string;
  /** The piece itself, where it is no text. */
  readonly item?: JsonValue;
  readonly ok: boolean;
  readonly value: JsonValue;
  /** Number of the object that the value is a copy of, where JSON does not give it again. */
  readonly original?: number;
  /** It is kept for what it has in common with inputs: JSON gives it again. */
  readonly exact?: true;
  readonly kept?: KeptInputs;
  /** What is changed is a copy too of what JSON does not give again. */
  readonly copied?: true;
  /** Names of changed inputs that the worker keeps. */
  readonly live?: readonly string[];
  readonly shared?: readonly SharedPlace[];
  /** Inputs that the call changed, as they are now. */
  readonly changed?: JsonObject;
  /** What code was seen to read since the last reply. */
  readonly seen?: JsonValue;
  /** The value as its record shows it, where JSON cannot carry all that is in it. */
  readonly shown?: string;
  readonly error: PythonFailure;
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly metrics?: { readonly [key: string]: JsonValue };
  /** Calls of models that code made itself. */
  readonly modelCalls?: ModelCalls;
}
