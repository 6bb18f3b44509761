import { diffValues } from '@unroll/evals';
import type { CassetteDrift, CassetteMode, MissedCall } from '@unroll/nodes';
import { paintChanges } from '../diff/paint-changes.ts';
import { indentLines } from '../text/readable-value.ts';
import type { Style } from '../text/style.ts';

interface DriftLayout {
  readonly file: string;
  readonly mode: CassetteMode;
  readonly style: Style;
  readonly columns: number;
}

const mostCalls = 10;
const mostPlaces = 3;

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
  return (
    head +
    missed
      .slice(0, mostCalls)
      .map((one) => missedText(one, layout))
      .join('') +
    moreText(missed.length) +
    unusedText(drift)
  );
}

/** A prompt that changed is one call missed and one unused: they are shown as one. */
function missedText({ call, nearest }: MissedCall, { style, columns }: DriftLayout): string {
  if (nearest === undefined) return `  ${style.bad(call.node)} asked for what is not on it\n`;
  const changes = diffValues({ ...nearest.call.request }, { ...call.request });
  const head = `  ${style.bad(call.node)} asked otherwise than call ${nearest.number} (${nearest.call.node})\n`;
  const painted = paintChanges(changes, { style, limit: mostPlaces, columns: columns - 4 });
  return head + painted.map((line) => `${indentLines(line, 4)}\n`).join('');
}

function moreText(count: number): string {
  return count > mostCalls ? `  and ${count - mostCalls} more\n` : '';
}

function unusedText({ unused }: CassetteDrift): string {
  if (unused.length === 0) return '';
  const listed = unused.slice(0, mostCalls).map(({ call, number }) => `${number} (${call.node})`);
  const more = unused.length > mostCalls ? `, and ${unused.length - mostCalls} more` : '';
  return `  not asked for: call ${listed.join(', ')}${more}\n`;
}
