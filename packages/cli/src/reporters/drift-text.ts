import { diffValues } from '@unroll/evals';
import type { CassetteDrift, CassetteMode, MissedCall } from '@unroll/nodes';
import { indentLines } from '@unroll/project/words';
import { paintChanges } from '../diff/paint-changes.ts';
import type { Style } from '../text/style.ts';

interface DriftLayout {
  readonly file: string;
  readonly mode: CassetteMode;
  readonly style: Style;
  readonly columns: number;
}

const maxCalls = 10;
const maxGroups = 5;
/** Beyond these, calls that were missed are counted only. */
const maxCompared = 300;
const maxPlaces = 3;

/** What a cassette and a run make of each other: a line, then calls that were missed and calls nobody asked for. */
export function driftText(drift: CassetteDrift, layout: DriftLayout): string {
  const { used, added, unused, missed } = drift;
  const { file, mode, style } = layout;
  const facts = [
    `${used} replayed`,
    mode === 'replay' ? '' : `${added} recorded`,
    missed.length === 0 ? '' : style.bad(`${missed.length} not on it`),
    unused.length === 0 ? '' : style.warn(`${unused.length} on it not asked for`),
  ];
  const head = `${style.dim('cassette')}  ${file}: ${facts.filter((fact) => fact !== '').join(', ')}\n`;
  const groups = [...Map.groupBy(missed.slice(0, maxCompared), (one) => changesText(one, layout))];
  const blocks = groups.slice(0, maxGroups).map(([changes, calls]) => groupText(calls, changes, style));
  const rest = groups.length - maxGroups;
  return `${head}${blocks.join('')}${rest > 0 ? `  and ${rest} other changes\n` : ''}${unusedText(drift)}`;
}

/** Calls that differ in the same way from what is recorded: a prompt that was edited is one entry. */
function groupText(calls: readonly MissedCall[], changes: string, style: Style): string {
  const [first] = calls;
  if (first === undefined) return '';
  const { call, nearest } = first;
  const than =
    nearest === undefined ? 'for what is not on it' : `otherwise than call ${nearest.number} (${nearest.call.node})`;
  const more = calls.length === 1 ? '' : `; ${calls.length - 1} more in the same way`;
  return `  ${style.bad(call.node)} asked ${than}${more}\n${changes}`;
}

function changesText({ call, nearest }: MissedCall, { style, columns }: DriftLayout): string {
  if (nearest === undefined) return '';
  const changes = diffValues({ ...nearest.call.request }, { ...call.request });
  const painted = paintChanges(changes, { style, limit: maxPlaces, columns: columns - 4 });
  return painted.map((line) => `${indentLines(line, 4)}\n`).join('');
}

function unusedText({ unused }: CassetteDrift): string {
  if (unused.length === 0) return '';
  const listed = unused.slice(0, maxCalls).map(({ call, number }) => `${number} (${call.node})`);
  const more = unused.length > maxCalls ? `, and ${unused.length - maxCalls} more` : '';
  return `  not asked for: call ${listed.join(', ')}${more}\n`;
}
