import { isMapping, type JsonValue, jsonOrText } from '@unroll/engine';
import { equalValues } from './equal-values.ts';
import type { Unscored } from './evaluator.ts';

/** A call of a function: by a model, or as a case expects it. */
export interface FoundCall {
  readonly name: string;
  /** Absent: only the name counts. */
  readonly arguments?: JsonValue;
}

/**
 * Calls in a value, in order: of a chat message its `function_call` or `tool_calls`, of `{name, arguments}` itself, of a
 * text the name it is, of a list those of its members.
 */
export function callsIn(value: JsonValue): readonly FoundCall[] {
  if (typeof value === 'string') return value === '' ? [] : [{ name: value }];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(callsIn);
  if (!isMapping(value)) return [];
  const { function_call: one, tool_calls: several, function: inner, name } = value;
  if (isMapping(one)) return callsIn(one);
  if (Array.isArray(several)) return callsIn(several);
  if (isMapping(inner)) return callsIn(inner);
  if (typeof name !== 'string') return [];
  const given = value['arguments'];
  return [{ name, ...(given === undefined ? {} : { arguments: jsonOrText(given) }) }];
}

/**
 * Calls that are expected; undefined of what can name none: a number, a mapping that is neither a call nor a message. A text that begins
 * as JSON, as in a cell of a CSV file, is what it holds as JSON.
 */
export function expectedCalls(written: JsonValue): readonly FoundCall[] | undefined {
  const isJson = typeof written === 'string' && /^\s*[[{]/.test(written);
  const expected = isJson ? jsonOrText(written) : written;
  if (isJson && typeof expected === 'string') return undefined;
  return saysCalls(expected) ? callsIn(expected) : undefined;
}

function saysCalls(value: JsonValue): boolean {
  if (value === null || typeof value === 'string') return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every(saysCalls);
  const isMessage = isMapping(value) && messageKeys.some((key) => Object.hasOwn(value, key));
  return isMessage || callsIn(value).length > 0;
}

export const noCall: Unscored = { unscored: 'expected is no call' };

const messageKeys = ['role', 'content', 'tool_calls', 'function_call'];

/** How arguments are compared: all of them, only those expected, not at all. */
export type ArgumentRule = 'same' | 'expected' | 'ignored';

export function isCall(found: FoundCall, expected: FoundCall, rule: ArgumentRule): boolean {
  if (found.name !== expected.name) return false;
  if (rule === 'ignored' || expected.arguments === undefined) return true;
  const own = found.arguments ?? {};
  if (rule === 'same' || !isMapping(own) || !isMapping(expected.arguments)) return same(own, expected.arguments);
  return Object.entries(expected.arguments).every(([name, value]) => {
    const given = own[name];
    return given !== undefined && same(given, value);
  });
}

/**
 * How many of the expected calls were made, each call standing for one of them: where a call fits several, it stands for the one that no
 * other fits (an augmenting path, Kuhn 1955), whatever order they are written in.
 */
export function sharedCalls(found: readonly FoundCall[], wanted: readonly FoundCall[], rule: ArgumentRule): number {
  const standsFor = new Map<number, FoundCall>();
  const isGiven = (expected: FoundCall, tried: Set<number>): boolean => {
    const fitting = [...found.keys()].filter((at) => !tried.has(at) && isCall(found[at] as FoundCall, expected, rule));
    const at = fitting.find((one) => !standsFor.has(one)) ?? fitting.find((one) => isFreed(one, tried));
    if (at !== undefined) standsFor.set(at, expected);
    return at !== undefined;
  };
  const isFreed = (at: number, tried: Set<number>): boolean =>
    !tried.has(at) && isGiven(standsFor.get(at) as FoundCall, tried.add(at));
  return wanted.filter((expected) => isGiven(expected, new Set())).length;
}

function same(one: JsonValue, other: JsonValue): boolean {
  return equalValues(one, other, { ignoreCase: false, ignoreForm: true });
}
