import { ProjectFailure } from '../host/project-failure.ts';
import type { KeptLabel } from '../labels/label-file.ts';
import type { Label } from '../studio-contract/contract.ts';

/** @throws ProjectFailure where a label is another one than it was when it was read */
export function requireSame(line: number, kept: KeptLabel | undefined, before: Label | null): void {
  const [now, was] = [kept ?? {}, before ?? {}].map((label) => JSON.stringify(withoutEmpty(label)));
  if (now === was) return;
  const { judgement, note } = kept ?? {};
  const said = [judgement, note === undefined ? undefined : JSON.stringify(note)].filter((part) => part !== undefined);
  const message =
    kept === undefined
      ? `the label of row ${line} was taken back meanwhile`
      : `the label of row ${line} is another one by now: ${said.join(', ')}`;
  throw new ProjectFailure(message, {
    code: 'LabelChanged',
    help: 'What is there stays; judge it again to change it.',
  });
}

/** @throws ProjectFailure where a row has another answer than the one that was looked at: its run, or what the metric is of, is another */
export function requireSameAnswer(line: number, now: string, seen: string | undefined): void {
  if (seen === undefined || seen === now) return;
  throw new ProjectFailure(`the answer of row ${line} is another one by now`, {
    code: 'Changed',
    help: 'Nothing is kept of it; load the page again to see the answer.',
  });
}

/** Nothing is kept of a field that was left empty. */
export function withoutEmpty({
  judgement,
  score,
  note,
  expected,
}: { [Key in keyof Label]: Label[Key] | undefined }): Label {
  return {
    ...(judgement === undefined ? {} : { judgement }),
    ...(score === undefined ? {} : { score }),
    ...(note === undefined || note === '' ? {} : { note }),
    ...(expected === undefined || expected === '' ? {} : { expected }),
  };
}
