import type { Agreement, Label, LabelChanged, LabelRow, LabelsPage, Verdict } from '@unroll/project/studio-contract';
import { useRef, useState } from 'preact/hooks';
import { send } from '../../load/request.ts';
import { say } from '../../shell/said.tsx';

export interface Labelling {
  /** In the order they came in: it stays while one labels. */
  readonly rows: readonly LabelRow[];
  /** Place of the row that is shown. */
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly labelOf: (row: LabelRow) => Label;
  readonly verdict: Verdict;
  readonly agreement: Agreement;
  /** Writes the label of the row that is shown. */
  readonly save: (label: Label) => void;
  readonly undo: () => void;
}

interface Change {
  readonly at: number;
  readonly before: Label;
}

interface Stand {
  readonly labels: ReadonlyMap<number, Label>;
  readonly verdict: Verdict;
  readonly agreement: Agreement;
}

/** Labels are written as they are given, one after the other; what could not be written is said and stands as it was. */
export function useLabelling(page: LabelsPage): Labelling {
  const { rows } = page;
  const [chosen, choose] = useState(0);
  const [stand, setStand] = useState<Stand>({ labels: new Map(), verdict: page.verdict, agreement: page.agreement });
  const changes = useRef<Change[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  const labelAt = (at: number): Label => stand.labels.get(at) ?? rows[at]?.label ?? {};
  const write = (at: number, label: Label, before: Label): void => {
    setStand((known) => ({ ...known, labels: new Map(known.labels).set(at, label) }));
    last.current = last.current.then(async () => {
      const answer = await sendLabel(page, rows[at], label);
      if ('value' in answer) setStand((known) => ({ ...known, ...standOf(answer.value) }));
      else {
        setStand((known) => ({ ...known, labels: new Map(known.labels).set(at, before) }));
        say(answer.failure.message);
      }
    });
  };
  return {
    ...{ rows, chosen, choose },
    labelOf: (row) => labelAt(rows.indexOf(row)),
    verdict: stand.verdict,
    agreement: stand.agreement,
    save: (label) => {
      changes.current.push({ at: chosen, before: labelAt(chosen) });
      write(chosen, label, labelAt(chosen));
    },
    undo: () => {
      const change = changes.current.pop();
      if (change === undefined) return;
      choose(change.at);
      write(change.at, change.before, labelAt(change.at));
    },
  };
}

function standOf({ verdict, agreement }: LabelChanged): Pick<Stand, 'verdict' | 'agreement'> {
  return { verdict, agreement };
}

function sendLabel({ run, evaluation, metric }: LabelsPage, row: LabelRow | undefined, label: Label) {
  const isEmpty = Object.values(label).every((value) => value === undefined || value === '');
  const place = { line: row?.line ?? 0, repeat: row?.repeat ?? 0 };
  const body = JSON.stringify({ run, evaluation, metric, ...place, label: isEmpty ? null : label });
  return send<LabelChanged>('labels', {
    method: 'PUT',
    keepalive: true,
    body,
    headers: { 'content-type': 'application/json' },
  });
}
