import type { Label } from '@unroll/project/studio-contract';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';

export const judgements = [
  { key: '1', judgement: 'pass', shape: 'passes' },
  { key: '2', judgement: 'fail', shape: 'does-not-pass' },
  { key: '3', judgement: 'unsure', shape: 'not-run' },
] as const;

export type Judgement = (typeof judgements)[number]['judgement'];

/** As a keyboard of the US writes Shift and 1 to 5, and that of Japan. */
const scoreKeys = [['!'], ['@', '"'], ['#'], ['$'], ['%']] as const;

interface LabelWriting {
  readonly save: (change: Label) => void;
  /** Saves what is said, and goes on to the next row. */
  readonly judge: (judgement: Judgement) => void;
  readonly next: () => void;
  readonly undo: () => void;
  /** Absent where the data expects nothing. */
  readonly accept: (() => void) | undefined;
}

interface FieldRef {
  readonly current: HTMLTextAreaElement | null;
}

interface LabelKeys {
  readonly step: (by: number) => void;
  /** Absent where nothing may be written. */
  readonly written: LabelWriting | undefined;
  readonly note: FieldRef;
  readonly expected: FieldRef;
}

/** What is said of the answer by keys; nothing is written where nothing may be. */
export function useLabelKeys({ step, written, note, expected }: LabelKeys): void {
  const { labels } = words.value.comparing;
  const { label, keys } = words.value;
  const bind = (pressed: readonly string[], name: string, run: () => void) => ({
    ...{ keys: pressed, group: 'page' as const, label: name, run },
  });
  const writing = ({ save, judge, next, undo, accept }: LabelWriting) => [
    ...judgements.map(({ key, judgement }) => bind([key], label[judgement], () => judge(judgement))),
    ...scoreKeys.map((pressed, at) => bind(pressed, `${labels.score} ${at + 1}`, () => save({ score: at + 1 }))),
    bind(['n'], labels.note, () => note.current?.focus()),
    bind(['e'], labels.expected, () => expected.current?.focus()),
    bind(['u'], labels.undo, undo),
    ...(accept === undefined ? [] : [bind(['a'], labels.accept, accept)]),
    bind(['Enter'], labels.saveNext, next),
  ];
  useKeys([
    bind(['s', 'j'], labels.skip, () => step(1)),
    bind(['k'], keys.previous, () => step(-1)),
    ...(written === undefined ? [] : writing(written)),
  ]);
}
