import type {
  Agreement,
  Label,
  LabelChanged,
  LabelRow,
  LabelsPage,
  Value,
  Verdict,
} from '@unroll/project/studio-contract';
import { useRef, useState } from 'preact/hooks';
import { type Failure, request, send } from '../../load/request.ts';
import { setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { say } from '../../shell/said.tsx';

export interface Labelling {
  /** In the order they came in: it stays while one labels. */
  readonly rows: readonly LabelRow[];
  /** Asks for the rows after them; absent at the end. */
  readonly more: (() => void) | undefined;
  /** Another expectation stands in the dataset now. */
  readonly expect: (row: LabelRow, expectation: Value) => void;
  /** Place of the row that is shown. */
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly labelOf: (row: LabelRow) => Label;
  /** What was said of a row and could not be written. */
  readonly unsavedOf: (row: LabelRow) => Unsaved | undefined;
  readonly verdict: Verdict;
  readonly agreement: Agreement;
  readonly counts: LabelsPage['counts'];
  /** Writes the label of the row that is shown. */
  readonly save: (label: Label) => void;
  readonly undo: () => void;
}

interface Unsaved {
  readonly label: Label;
  readonly failure: Failure;
}

interface Change {
  readonly at: number;
  readonly before: Label;
}

interface Stand {
  readonly labels: ReadonlyMap<number, Label>;
  readonly unsaved: ReadonlyMap<number, Unsaved>;
  readonly verdict: Verdict;
  readonly agreement: Agreement;
  readonly counts: LabelsPage['counts'];
}

/** Rows before the end of the list at which those after it are asked for. */
const ahead = 20;

/** Labels are written as they are given, one after the other; what could not be written is said, and kept to be saved again. */
export function useLabelling(page: LabelsPage, path: string): Labelling {
  const { rows, more, expect } = useLabelRows(page, path);
  const [chosen, setChosen] = useState(0);
  const { verdict, agreement, counts } = page;
  const [stand, setStand] = useState<Stand>({ labels: new Map(), unsaved: new Map(), verdict, agreement, counts });
  const choose = (at: number): void => {
    setChosen(at);
    const row = rows[at];
    if (row !== undefined) setQuery({ line: String(row.line), repeat: String(row.repeat) }, 'replace');
    if (at >= rows.length - ahead) more?.();
  };
  const changes = useRef<Change[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  const labelAt = (at: number): Label => stand.labels.get(at) ?? rows[at]?.label ?? {};
  const write = (at: number, label: Label, before: Label): void => {
    setStand((known) => ({ ...known, labels: new Map(known.labels).set(at, label) }));
    last.current = last.current.then(async () => {
      const answer = await sendLabel(page, rows[at], { label, before });
      if ('value' in answer) {
        const { value } = answer;
        setStand((known) => ({ ...known, ...standOf(value), unsaved: without(known.unsaved, at) }));
        return;
      }
      const { failure } = answer;
      const kept = failure.code === 'LabelChanged' ? await keptLabel(path, rows[at]) : before;
      setStand((known) => ({
        ...known,
        labels: new Map(known.labels).set(at, kept ?? before),
        unsaved: new Map(known.unsaved).set(at, { label, failure }),
      }));
      say(failure.message);
    });
  };
  return {
    ...{ rows, more, expect, chosen, choose },
    labelOf: (row) => labelAt(rows.findIndex((one) => isSameRow(one, row))),
    unsavedOf: (row) => stand.unsaved.get(rows.findIndex((one) => isSameRow(one, row))),
    verdict: stand.verdict,
    agreement: stand.agreement,
    counts: stand.counts,
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

/** The rows of all pages that were read; of those that come twice the first stays, with what was said of it since. */
function useLabelRows(page: LabelsPage, path: string): Pick<Labelling, 'rows' | 'more' | 'expect'> {
  const [state, setState] = useState({ rows: page.rows, next: page.paging.next });
  const isReading = useRef(false);
  const { rows, next } = state;
  const read = async (): Promise<void> => {
    if (isReading.current || next === null) return;
    isReading.current = true;
    const answer = await request<LabelsPage>(`${path}&cursor=${encodeURIComponent(next)}`);
    isReading.current = false;
    if ('failure' in answer) say(answer.failure.message);
    else
      setState((known) => ({
        rows: [...known.rows, ...answer.value.rows.filter((row) => !known.rows.some((one) => isSameRow(one, row)))],
        next: answer.value.paging.next,
      }));
  };
  const expect = (row: LabelRow, expectation: Value): void =>
    setState((known) => ({
      ...known,
      rows: known.rows.map((one) => (isSameRow(one, row) ? { ...one, expectation } : one)),
    }));
  return { rows, expect, more: next === null ? undefined : () => void read() };
}

function without(unsaved: Stand['unsaved'], at: number): Stand['unsaved'] {
  return new Map([...unsaved].filter(([one]) => one !== at));
}

function isSameRow(one: LabelRow, other: LabelRow): boolean {
  return one.line === other.line && one.repeat === other.repeat;
}

function standOf({ verdict, agreement, counts }: LabelChanged): Omit<Stand, 'labels' | 'unsaved'> {
  return { verdict, agreement, counts };
}

/** What is said of a row by now; undefined where that cannot be read. */
async function keptLabel(path: string, row: LabelRow | undefined): Promise<Label | undefined> {
  const answer = await request<LabelsPage>(`${path}&${queryOf({ line: `${row?.line}`, repeat: `${row?.repeat}` })}`);
  if ('failure' in answer) return undefined;
  return answer.value.rows.find((one) => row !== undefined && isSameRow(one, row))?.label ?? {};
}

interface LabelEdit {
  readonly label: Label;
  readonly before: Label;
}

function sendLabel({ run, evaluation, metric }: LabelsPage, row: LabelRow | undefined, { label, before }: LabelEdit) {
  const place = { line: row?.line ?? 0, repeat: row?.repeat ?? 0 };
  const [was, is] = [before, label].map((one) => (isEmpty(one) ? null : one));
  const { answered } = row ?? {};
  const body = JSON.stringify({ run, evaluation, metric, ...place, label: is, before: was, answered });
  return send<LabelChanged>('labels', {
    method: 'PUT',
    keepalive: true,
    body,
    headers: { 'content-type': 'application/json' },
  });
}

function isEmpty(label: Label): boolean {
  return Object.values(label).every((value) => value === undefined || value === '');
}
