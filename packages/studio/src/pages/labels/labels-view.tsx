import type { Label, LabelRow, LabelsPage } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { useJson } from '../../load/use-json.ts';
import { Choice } from '../../parts/choice.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { AgreementPanel } from './agreement-panel.tsx';
import { LabelList } from './label-list.tsx';
import { LabelPanel } from './label-panel.tsx';
import { useLabelling } from './use-labelling.ts';

/** Is this answer right, and may the judge be trusted? */
export function LabelsView() {
  const asked = query.value;
  const [evaluation, metric, run] = ['evaluation', 'metric', 'run'].map((name) => asked.get(name) ?? undefined);
  // The row that is shown stands in the address; the one that was asked for first is what the list was read for.
  const [first] = useState({ line: asked.get('line') ?? undefined, repeat: asked.get('repeat') ?? undefined });
  const path = `labels?${queryOf({ evaluation, metric, run, limit: '100', ...first })}`;
  const page = useJson<LabelsPage>(path);
  const { labels } = words.value.comparing;
  useTitle(page.value?.metric, labels.title);
  if (page.value === undefined || (page.failure !== undefined && page.isCurrent))
    return (
      <>
        <h1>{labels.title}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  const { value } = page;
  return <Labelling key={`${value.evaluation} ${value.metric} ${value.run}`} page={value} path={path} />;
}

interface LabellingProps {
  readonly page: LabelsPage;
  /** That it was read from. */
  readonly path: string;
}

function Labelling({ page, path }: LabellingProps) {
  const labelling = useLabelling(page, path);
  const { labels } = words.value.comparing;
  const { rows, more, chosen, labelOf, unsavedOf, choose, verdict, agreement, counts } = labelling;
  const row: LabelRow | undefined = rows[chosen];
  const label: Label = row === undefined ? {} : labelOf(row);
  return (
    <>
      <Head page={page} undo={labelling.undo} />
      <VerdictView verdict={verdict} />
      {page.problem === undefined ? null : (
        <p class="plain-text quiet label-problem">
          <PlainText text={words.value.toldProblem(page.problem)} />
        </p>
      )}
      {row === undefined ? (
        <EmptyView title={labels.noRows} />
      ) : (
        <div class="labelling">
          <LabelList {...{ rows, more, chosen, labelOf, unsavedOf, choose, counts }} total={page.paging.total} />
          <LabelPanel key={`${row.line}/${row.repeat}`} {...{ row, label, labelling, page }} />
          <AgreementPanel agreement={agreement} metric={page.metric} />
        </div>
      )}
    </>
  );
}

function Head({ page, undo }: { readonly page: LabelsPage; readonly undo: () => void }) {
  const { whereYouAre, comparing } = words.value;
  const { labels } = comparing;
  return (
    <>
      <nav class="where" aria-label={whereYouAre}>
        <a href={`/evaluations?${queryOf({ path: page.evaluation })}`}>{page.evaluation}</a>{' '}
        <span aria-hidden="true">/</span>
        <span aria-current="page">{labels.title}</span>
      </nav>
      <div class="page-head">
        <h1>
          {page.metric} <span class="about">{labels.about(page.run, page.file)}</span>
        </h1>
        <div class="actions">
          <Choice
            label={labels.metric}
            values={page.metrics}
            chosen={page.metric}
            onChoice={(metric) => setQuery({ metric })}
          />
          <Choice label={labels.run} values={page.runs} chosen={page.run} onChoice={(run) => setQuery({ run })} />
          <button type="button" class="button" onClick={undo}>
            {labels.undo} <kbd>u</kbd>
          </button>
        </div>
      </div>
    </>
  );
}
