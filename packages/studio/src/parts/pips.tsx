import { words } from '../words/words.ts';

export interface PipsProps {
  readonly ran: number;
  readonly times: number;
  readonly ended: boolean;
}

/** More turns than this are told by a number. */
const max = 8;

/** Pixels that the turns of a loop take, with the mark of one that never ended: style/parts.css. */
export function pipsWidth(times: number): number {
  return times > max ? 0 : times * 15 + 12;
}

/** Turns of a loop: filled where they ran, dashed where they were bypassed. */
export function Pips({ ran, times, ended }: PipsProps) {
  const { turnsRan, turnsNeverEnded } = words.value;
  const label = ended ? turnsRan(ran, times) : `${turnsRan(ran, times)}, ${turnsNeverEnded}`;
  if (times > max)
    return (
      <span title={label}>
        {ran}/{times}
      </span>
    );
  return (
    <span class="pips" role="img" aria-label={label} title={label}>
      {Array.from({ length: times }, (_, turn) => (
        <i key={turn} class={turn < ran ? 'ran' : 'bypassed'}>
          {turn < ran ? turn + 1 : ''}
        </i>
      ))}
      {ended ? null : <span class="warn"> !</span>}
    </span>
  );
}
