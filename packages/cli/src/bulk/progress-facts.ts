import { textWidth } from '@unroll/engine/text-width';
import type { ThrottleState } from '@unroll/nodes';
import type { NodeTally, ProgressView } from '@unroll/project';
import { countOf, formatCost, formatCount, formatDuration, formatLeft, formatRate } from '@unroll/project/words';
import type { Segment } from '../text/painted-line.ts';
import type { Style } from '../text/style.ts';

/** What a line of progress may say, in the order of importance; what there is nothing of is left out. */
export function rowFacts({ rows }: ProgressView, style: Style): readonly Segment[] {
  const done = rows.completed + rows.failed;
  const share = rows.total === undefined || rows.total === 0 ? undefined : Math.floor((done * 100) / rows.total);
  return [
    {
      text: rows.total === undefined ? countOf(done, 'row') : `${formatCount(done)} of ${formatCount(rows.total)}`,
    },
    ...(share === undefined ? [] : [{ text: `${share} %` }]),
    ...count(rows.failed, 'failed', style.bad),
    ...count(rows.unfinished, 'unfinished', style.warn),
    ...count(rows.cached, 'cached', style.name),
    ...count(rows.inFlight, 'in flight', style.warn),
  ];
}

/** Where rows are in flight, the busiest worker first: `on w1 8, w2 6`. */
export function workerFacts({ workers = [] }: ProgressView): readonly Segment[] {
  if (workers.length === 0) return [];
  const named = [...workers].sort((one, other) => other.rows - one.rows).slice(0, maxNamed);
  const more = workers.length > maxNamed ? `, and ${workers.length - maxNamed} more` : '';
  return [{ text: `on ${named.map(({ name, rows }) => `${name} ${formatCount(rows)}`).join(', ')}${more}` }];
}

export function paceFacts(view: ProgressView): readonly Segment[] {
  const { rate, leftMs, usage, cost, isCostPartial } = view;
  return [
    ...(rate === undefined ? [] : [{ text: formatRate(rate) }]),
    ...(leftMs === undefined || leftMs <= 0 ? [] : [{ text: `${formatLeft(leftMs)} left` }]),
    ...(usage === undefined ? [] : [{ text: `${formatCount(usage.totalTokens)} tokens${partly(usage)}` }]),
    ...(cost === undefined ? [] : [{ text: formatCost(cost, isCostPartial) }]),
  ];
}

/** Where calls told no tokens: it was more. */
function partly({ untoldCalls = 0 }: NonNullable<ProgressView['usage']>): string {
  return untoldCalls === 0 ? '' : ' (partial)';
}

/** Which nodes are at work, those with most rows first: `waiting for ask 3, search 1`. */
export function waitingFacts({ groups }: ProgressView): readonly Segment[] {
  const atWork = groups.flatMap((group) => (group.kind === 'loop' || group.inFlight === 0 ? [] : [group]));
  if (atWork.length === 0) return [];
  const most = [...atWork].sort((one, other) => other.inFlight - one.inFlight).slice(0, maxNamed);
  const names = most.map(
    ({ kind, name, inFlight }) => `${kind === 'family' ? `${name}[*]` : name} ${formatCount(inFlight)}`,
  );
  const more = atWork.length > maxNamed ? `, and ${atWork.length - maxNamed} more` : '';
  return [{ text: `waiting for ${names.join(', ')}${more}` }];
}

/** Whose calls are made again, and why: `ask: 12 calls again after InternalServerError`. A connection at its limit has its own word. */
export function failingFacts({ failing = [], paces = [] }: ProgressView, style: Style): readonly Segment[] {
  if (paces.length > 0) return [];
  return failing.slice(0, maxNamed).map(({ node, calls, code }) => ({
    text: `${node}: ${countOf(calls, 'call')} again after ${code}`,
    paint: style.warn,
  }));
}

const maxNamed = 3;

/** Facts that fit on `room` cells together: the first ones are left out, whole, where there is no room for all. */
export function fittingFacts(facts: readonly Segment[], room: number): readonly Segment[] {
  const width = facts.reduce((sum, { text }) => sum + textWidth(text) + 2, -2);
  return facts.length <= 1 || width <= room ? facts : fittingFacts(facts.slice(1), room);
}

/** Which connections are held back. */
export function limitFacts({ paces = [] }: ProgressView, style: Style): readonly Segment[] {
  return paces.map((pace) => ({ text: limitText(pace), paint: style.warn }));
}

/** `azure is at its limit: 6 calls at a time, waits 12 s`. */
function limitText({ connection, most, waitMs }: ThrottleState): string {
  const held = [
    ...(most === undefined ? [] : [`${formatCount(most)} ${most === 1 ? 'call' : 'calls'} at a time`]),
    ...(waitMs < 1000 ? [] : [`waits ${formatLeft(waitMs)}`]),
  ];
  return `${connection} is at its limit${held.length === 0 ? '' : `: ${held.join(', ')}`}`;
}

export function nodeFacts(tally: NodeTally, style: Style): readonly Segment[] {
  const { completed, failed, bypassed, cached, inFlight, p50Ms } = tally;
  return [
    { text: formatCount(completed + failed).padStart(7) },
    ...count(failed, 'failed', style.bad),
    ...count(cached, 'cached', style.name),
    ...count(bypassed, 'bypassed', style.dim),
    ...count(inFlight, 'in flight', style.warn),
    ...(p50Ms === undefined ? [] : [{ text: formatDuration(p50Ms), paint: style.dim }]),
  ];
}

/** How many rows went round a loop how often: `1: 312  2: 201  3: 60`. */
export function stoppedText(stopped: readonly number[]): string {
  return stopped.flatMap((rows, times) => (rows === 0 ? [] : [`${times}: ${formatCount(rows)}`])).join('  ');
}

export function joinFacts(facts: readonly Segment[]): readonly Segment[] {
  return facts.flatMap((fact, index) => (index === 0 ? [fact] : [{ text: '  ' }, fact]));
}

function count(amount: number, word: string, paint: Segment['paint']): readonly Segment[] {
  return amount === 0 ? [] : [{ text: `${formatCount(amount)} ${word}`, paint }];
}
