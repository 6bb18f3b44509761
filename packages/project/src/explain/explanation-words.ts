import { type Explanation, partsText, type Reason } from '@unroll/evals';
import type { WhyAbout } from './explain-row.ts';

/** Why a node ran for a row, or why it did not, without a full stop. */
export function explanationSentence(explanation: Explanation, about: WhyAbout): string {
  if (explanation.kind === 'taken') return `taken from ${explanation.from}: nothing it depends on has changed`;
  if (explanation.kind === 'ran') return `ran: ${reasonText(explanation.because, about)}`;
  return explanation.status === 'Bypassed'
    ? 'did not run: its condition did not hold, or nothing was there to work on'
    : 'did not run: a node before it failed';
}

function reasonText(reason: Reason, { against, row }: WhyAbout): string {
  switch (reason.kind) {
    case 'nothing to take from':
      return 'there was no run to take its output from';
    case 'always':
      return alwaysText[reason.part];
    case 'not kept':
      return `${reason.why}, so that no record can stand in for it`;
    case 'no such row':
      return `${against} has no row ${row}, and no other row that fits`;
    case 'no such node':
      return `${against} has no such node`;
    case 'did not complete':
      return `in ${against} it did not complete (${reason.status})`;
    case 'no fingerprint':
      return `one of the two runs tells no fingerprint of it`;
    case 'not seen':
      return notSeenText(reason.what, against);
    case 'nothing changed':
      if (reason.program !== undefined) return `${partsText([reason.program])}; nothing it depends on has changed`;
      return `nothing it depends on has changed; it ran because --since did not name ${against}, or because of --no-cache`;
    case 'changed':
      return `${partsText(reason.differences.slice(0, 1).map(({ part }) => ({ part })))}`;
  }
}

function notSeenText(what: readonly string[] | undefined, against: string | undefined): string {
  if (what === undefined) return `what its code read in ${against} is not known`;
  return `its code reads what nobody can compare: ${what.join(', ')} (cache: true takes its output all the same)`;
}

const alwaysText = {
  cache: 'it always does (cache: false)',
  effects: 'it always does: it may write',
  unseen: 'it always does: what it asks may have changed unseen (cache: true takes its output all the same)',
} as const;
