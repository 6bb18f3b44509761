import { type JsonValue, type NodeRun, unseenIn, valueHash } from '@unroll/engine';
import type { PartChange } from '../attribute-changes/attribution.ts';
import { readChanges } from '../attribute-changes/read-changes.ts';
import { diffValues } from '../compare-values/diff-values.ts';
import type { Difference, Explanation, Reason } from './explanation.ts';

type Parts = Readonly<Record<string, string>>;

/** A node of a row in one run: its record, and what it is made of where the run tells. */
export interface NodeSide {
  readonly run: string;
  readonly record: NodeRun | undefined;
  readonly parts?: Parts | undefined;
  /** What its code read, where the run tells. */
  readonly reads?: Parts | undefined;
  /** Whether its output is what it was given, and changed by code later in the row. */
  readonly isGivenOn?: boolean;
  /** Whether the run has the row at all. */
  readonly hasRow: boolean;
  /** Which Unroll made this run and which the other, where that differs. */
  readonly program?: PartChange;
}

/** Why a node ran for a row although there is an earlier run; `earlier` is absent where there is none. */
export function explainRun(
  run: NodeRun,
  { parts, reads }: Pick<NodeSide, 'parts' | 'reads'>,
  earlier: NodeSide | undefined,
): Explanation {
  if (run.cachedFrom !== undefined) return takenFrom(run.cachedFrom, run, parts ?? {}, earlier);
  if (run.status === 'Bypassed' || run.status === 'NotRun') return { kind: 'not run', status: run.status };
  return { kind: 'ran', because: reasonOf(run, { parts: parts ?? {}, reads }, earlier) };
}

function takenFrom(from: string, run: NodeRun, parts: Parts, earlier: NodeSide | undefined): Explanation {
  const record = earlier?.run === from ? undefined : earlier?.record;
  if (record?.status !== 'Completed') return { kind: 'taken', from };
  const isSame = run.fingerprint !== undefined && run.fingerprint === record.fingerprint;
  const before = { record, parts: earlier?.parts ?? {} };
  return { kind: 'taken', from, beside: isSame ? [] : differencesOf(before, { record: run, parts }) };
}

interface Made {
  readonly parts: Parts;
  readonly reads: Parts | undefined;
}

function reasonOf(run: NodeRun, made: Made, earlier: NodeSide | undefined): Reason {
  const { parts } = made;
  if (earlier === undefined) return { kind: 'nothing to take from' };
  const always = alwaysPart(parts);
  if (always !== undefined) return { kind: 'always', part: always };
  if (run.notKept !== undefined) return { kind: 'not kept', why: run.notKept };
  const { record, hasRow } = earlier;
  if (record === undefined) return { kind: hasRow ? 'no such node' : 'no such row' };
  if (record.status !== 'Completed') return { kind: 'did not complete', status: record.status };
  if (record.notKept !== undefined) return { kind: 'not kept', why: record.notKept };
  if (run.fingerprint === undefined || record.fingerprint === undefined) return { kind: 'no fingerprint' };
  if (run.fingerprint === record.fingerprint) return samePrintReason(run, made, record, earlier);
  return {
    kind: 'changed',
    differences: differencesOf({ record, parts: earlier.parts ?? {} }, { record: run, parts }),
  };
}

function nothingChanged({ output = null }: NodeRun, record: NodeRun, program: PartChange | undefined): Reason {
  const isOfProgram = program !== undefined && valueHash(output) !== valueHash(record.output ?? null);
  return { kind: 'nothing changed', ...(isOfProgram ? { program } : {}) };
}

function samePrintReason(run: NodeRun, { reads }: Made, record: NodeRun, earlier: NodeSide): Reason {
  if (earlier.isGivenOn === true) return { kind: 'given on' };
  return readReason(reads, earlier.reads) ?? nothingChanged(run, record, earlier.program);
}

/** What of its reads made a node run of which all is the same that a fingerprint holds. */
function readReason(reads: Parts | undefined, earlier: Parts | undefined): Reason | undefined {
  if (reads === undefined) return undefined;
  if (earlier === undefined) return { kind: 'not seen', what: undefined };
  const differences = readChanges(earlier, reads).map(({ part }) => ({ part, changes: [] }));
  if (differences.length > 0) return { kind: 'changed', differences };
  const what = unseenIn(earlier);
  return what.length === 0 ? undefined : { kind: 'not seen', what };
}

function alwaysPart(parts: Parts): 'cache' | 'effects' | 'unseen' | undefined {
  if ('cache' in parts) return 'cache';
  if (!('effects' in parts)) return undefined;
  return parts['effects'] === 'reads unseen' ? 'unseen' : 'effects';
}

interface Side {
  readonly record: NodeRun;
  readonly parts: Parts;
}

/** Definition first, then the prompt as sent, then what went in where no prompt tells it. */
function differencesOf(left: Side, right: Side): readonly Difference[] {
  const definition = partDifferences(left.parts, right.parts);
  const prompt = promptDifference(left, right);
  const inputs = inputDifferences(left, right, prompt !== undefined);
  return [...definition, ...(prompt === undefined ? [] : [prompt]), ...inputs];
}

/** Parts that no fingerprint holds: a template counts by its prompt, a binding by what it gives. */
const withoutEffect = /^(?:template|input|activate|cache|effects)\b/;

function partDifferences(left: Parts, right: Parts): readonly Difference[] {
  const names = [...new Set([...Object.keys(right), ...Object.keys(left)])].filter((name) => !withoutEffect.test(name));
  return names
    .filter((name) => left[name] !== right[name])
    .map((part) => ({
      part,
      changes: isReadable(left[part]) && isReadable(right[part]) ? partChange(left[part], right[part]) : [],
    }));
}

function partChange(left: string | undefined, right: string | undefined): Difference['changes'] {
  return [{ path: '', ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) }];
}

/** A digest tells a reader nothing. */
function isReadable(part: string | undefined): boolean {
  return part === undefined || !/^[0-9a-f]{32}$/.test(part);
}

function promptDifference(left: Side, right: Side): Difference | undefined {
  const [before, now] = [promptOf(left.record), promptOf(right.record)];
  if (before === undefined || now === undefined) return undefined;
  const changes = diffValues(before, now, Array.isArray(now) ? 'messages' : '');
  if (changes.length === 0) return undefined;
  const template = Object.keys(right.parts).find(
    (part) => part.startsWith('template ') && left.parts[part] !== right.parts[part],
  );
  return { part: 'prompt', changes, ...(template === undefined ? {} : { from: template }) };
}

/** The prompt as it was sent; of a prompt node the text it gave. */
function promptOf({ promptMessages, kind, output }: NodeRun): JsonValue | undefined {
  return promptMessages ?? (kind === 'prompt' ? output : undefined);
}

function inputDifferences(left: Side, right: Side, hasPrompt: boolean): readonly Difference[] {
  const [before, now] = [left.record.inputs ?? {}, right.record.inputs ?? {}];
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  return names.flatMap((name) => {
    const changes = diffInput(before[name], now[name]);
    if (changes.length === 0) return [];
    const from = /^\$\{(.*)\}$/.exec(right.parts[`input ${name}`] ?? '')?.[1];
    // What a prompt shows is told there; here it is only named.
    const difference = { part: `input ${name}`, changes: hasPrompt && from !== undefined ? [] : changes };
    return [from === undefined ? difference : { ...difference, from }];
  });
}

function diffInput(before: JsonValue | undefined, now: JsonValue | undefined): Difference['changes'] {
  if (before === undefined && now === undefined) return [];
  if (before === undefined) return [{ path: '', right: now as JsonValue }];
  if (now === undefined) return [{ path: '', left: before }];
  return diffValues(before, now);
}
