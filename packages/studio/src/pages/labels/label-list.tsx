import type { Label, LabelRow, LabelsPage } from '@unroll/project/studio-contract';
import { useEffect, useRef } from 'preact/hooks';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { RowTitle } from '../../parts/row-title.tsx';
import { words } from '../../words/words.ts';
import type { Labelling } from './use-labelling.ts';

export interface LabelListProps {
  readonly rows: readonly LabelRow[];
  readonly chosen: number;
  readonly total: number;
  readonly counts: LabelsPage['counts'];
  /** Asks for rows after these; absent where there are none. */
  readonly more: (() => void) | undefined;
  readonly labelOf: (row: LabelRow) => Label;
  readonly unsavedOf: Labelling['unsavedOf'];
  readonly choose: (at: number) => void;
}

/** The rows with what the judge and what people say, disagreement first as it was when the page was opened. */
export function LabelList({ rows, chosen, total, counts, more, labelOf, unsavedOf, choose }: LabelListProps) {
  const { labels } = words.value.comparing;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <section class="panel" aria-label={labels.rows}>
      <header>
        <h2>{labels.order}</h2>
        <span class="small faint">
          {chosen + 1} / {countText(total)} · {labels.leftToLabel(countText(counts.unlabelled))}
        </span>
      </header>
      <ul class="pick-list" ref={list}>
        {rows.map((row, at) => (
          <li key={`${row.line}/${row.repeat}`}>
            <button
              type="button"
              class="pick"
              aria-current={at === chosen ? 'true' : undefined}
              onClick={() => choose(at)}
            >
              <span class="number faint">{row.line}</span>
              <span class="title" dir="auto">
                <RowTitle title={row.title} line={row.line} />
              </span>
              <span class="judged">
                <Said passes={row.judge?.passed} who={labels.judge} />
                {unsavedOf(row) === undefined ? (
                  <Said judgement={labelOf(row).judgement} who={labels.you} />
                ) : (
                  <span class="bad">
                    <Mark shape="failed" label={labels.notSaved} />
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more === undefined ? null : (
        <p class="actions pick-more">
          <button type="button" class="button" onClick={more}>
            {labels.moreRows(countText(total - rows.length))}
          </button>
        </p>
      )}
    </section>
  );
}

interface SaidProps {
  readonly who: string;
  readonly passes?: boolean | undefined;
  readonly judgement?: Label['judgement'] | undefined;
}

function Said({ who, passes, judgement }: SaidProps) {
  const { label } = words.value;
  const said = judgement ?? (passes === undefined ? undefined : passes ? 'pass' : 'fail');
  if (said === undefined) return <Mark shape="not-run" label={`${who}: –`} />;
  if (said === 'unsure') return <span title={`${who}: ${label.unsure}`}>?</span>;
  return (
    <span class={said === 'pass' ? 'ok' : 'bad'}>
      <Mark shape={said === 'pass' ? 'passes' : 'does-not-pass'} label={`${who}: ${label[said]}`} />
    </span>
  );
}
