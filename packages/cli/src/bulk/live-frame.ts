import { fitWidth, padWidth, textWidth } from '@unroll/engine/text-width';
import type { Group, NodeTally, ProgressView } from '@unroll/project';
import { formatClock } from '@unroll/project/words';
import { paintedLine, type Segment } from '../text/painted-line.ts';
import type { Style } from '../text/style.ts';
import { bar } from './bar.ts';
import {
  failingFacts,
  fittingFacts,
  joinFacts,
  limitFacts,
  nodeFacts,
  paceFacts,
  rowFacts,
  stoppedText,
  workerFacts,
} from './progress-facts.ts';

export interface FrameOptions {
  /** Name of the flow, and of its data. */
  readonly title: string;
  readonly about: string;
  /** The user asked it to stop: rows in flight are waited for. */
  readonly isStopping: boolean;
  /** Size of the terminal in cells. */
  readonly columns: number;
  readonly lines: number;
  readonly style: Style;
}

const widestName = 28;

/** One picture of a run under way: what became of the rows, then a bar a node. No line is wider than the terminal. */
export function liveFrame(view: ProgressView, options: FrameOptions): readonly string[] {
  const { columns, lines, style } = options;
  const room = columns - 1;
  const width = nameWidth(view.groups, room);
  const barWidth = Math.max(6, Math.min(30, room - width - 40));
  const pace = fittingFacts(paceFacts(view), room);
  const head: readonly (readonly Segment[])[] = [
    [
      { text: options.title, paint: style.strong },
      { text: `  ${options.about}  ${formatClock(view.elapsedMs)}`, paint: style.dim },
    ],
    [
      { text: padWidth('rows', width) },
      { text: '  ' },
      ...bar(rowParts(view), barWidth, style),
      { text: '  ' },
      ...joinFacts(rowFacts(view, style)),
    ],
    [{ text: ' '.repeat(indentOf(pace, width + barWidth + 4, room)) }, ...joinFacts(pace)],
    ...workerFacts(view).map((fact) => [fact]),
    ...[...limitFacts(view, style), ...failingFacts(view, style)].map((fact) => [fact]),
    ...(options.isStopping ? [[{ text: stopping, paint: style.warn }]] : []),
    [],
  ];
  const groups = shownGroups(view.groups, lines - head.length - 2);
  const hidden = view.groups.length - groups.length;
  return [
    ...head,
    ...groups.map((group) => groupSegments(group, view, { width, barWidth, style })),
    ...(hidden === 0 ? [] : [[{ text: `and ${hidden} more`, paint: style.dim }]]),
  ].map((segments) => paintedLine(segments, room));
}

/** Cells before facts, as many as there may be without one being cut. */
function indentOf(facts: readonly Segment[], wanted: number, room: number): number {
  const width = facts.reduce((sum, { text }) => sum + textWidth(text) + 2, -2);
  return Math.max(0, Math.min(wanted, room - width));
}

const stopping = 'stopping: no new rows, those in flight finish; Ctrl-C again ends at once';

function nameWidth(groups: readonly Group[], room: number): number {
  const widths = groups.map((group) => textWidth(shownName(group)));
  return Math.min(
    Math.max(4, ...widths),
    Math.max(widestName, Math.floor(room / 4)),
    Math.max(8, Math.floor(room / 3)),
  );
}

function shownName(group: Group): string {
  if (group.kind === 'loop') return `↻ ${group.name}`;
  return group.kind === 'family' ? `  ${group.name}[*]` : group.name;
}

function rowParts({ rows }: ProgressView): Parameters<typeof bar>[0] {
  const { completed, failed, cached, inFlight } = rows;
  const total = rows.total ?? completed + failed + inFlight;
  return { completed: completed - cached, cached, bypassed: 0, failed, inFlight, total };
}

function groupSegments(
  group: Group,
  view: ProgressView,
  { width, barWidth, style }: { readonly width: number; readonly barWidth: number; readonly style: Style },
): readonly Segment[] {
  const name = { text: padWidth(fitWidth(shownName(group), width), width) };
  if (group.kind === 'loop') {
    const text = stoppedText(group.stopped);
    return [name, { text: text === '' ? '' : `  rows by times round: ${text}`, paint: style.dim }];
  }
  return [
    name,
    { text: '  ' },
    ...bar(nodeParts(group, view), barWidth, style),
    { text: '  ' },
    ...joinFacts(nodeFacts(group, style)),
  ];
}

/** A node over all rows is done once it has run; every other once a row, and a family as often as it has members. */
function nodeParts(tally: NodeTally, { rows }: ProgressView): Parameters<typeof bar>[0] {
  const { completed, failed, cached, bypassed, inFlight } = tally;
  const known = rows.total ?? rows.completed + rows.failed + rows.canceled + rows.inFlight;
  const total = tally.aggregation ? 1 : known * tally.size;
  return { completed: completed - cached, cached, bypassed, failed, inFlight, total };
}

/** Where there is no room for all, those at work come first; the order stays that of the flow. */
function shownGroups(groups: readonly Group[], room: number): readonly Group[] {
  if (groups.length <= room) return groups;
  const urgent = (group: Group): number => {
    if (group.kind === 'loop') return 1;
    return group.inFlight > 0 ? 3 : group.failed > 0 ? 2 : 0;
  };
  const kept = new Set([...groups].sort((one, other) => urgent(other) - urgent(one)).slice(0, Math.max(0, room - 1)));
  return groups.filter((group) => kept.has(group));
}
