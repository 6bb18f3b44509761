import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import type { ScoredRecord } from './evaluations.ts';
import type { Seen } from './lens.ts';
import type { RunLabels } from './row-labels.ts';
import { rowMarks } from './row-marks.ts';
import type { NarrowedRows } from './rows-page.ts';

interface Marked {
  readonly index: RowIndex;
  readonly scored: ScoredRecord | undefined;
  readonly labels: RunLabels;
  readonly marks: RowMarks;
  readonly kept: Map<string, NarrowedRows>;
}

const maxRuns = 8;

/** What evaluations and people say of the rows of the runs that were looked at last. */
export class KeptMarks {
  private readonly marked = new Map<string, Marked>();

  of(run: string, index: RowIndex, { scored, labels }: Pick<Seen, 'scored' | 'labels'>): Marked {
    const known = this.marked.get(run);
    const isKnown = known?.index === index && known.scored === scored && known.labels === labels;
    if (isKnown) return known;
    const marks = rowMarks(index, scored, labels);
    const marked = { index, scored, labels, marks, kept: new Map<string, NarrowedRows>() };
    this.marked.set(run, marked);
    for (const old of [...this.marked.keys()].slice(0, -maxRuns)) this.marked.delete(old);
    return marked;
  }
}
