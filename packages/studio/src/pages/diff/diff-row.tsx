import type { DiffPage, DiffRow, ValueChangeView } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { useJson } from '../../load/use-json.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { TextChanges } from '../../parts/text-changes.tsx';
import { ValueView } from '../../parts/value-view.tsx';
import { comparedQuery, rowAddress } from '../../route/view.ts';
import { language, words } from '../../words/words.ts';
import { ChangeTag } from './change-tag.tsx';

export interface DiffRowViewProps {
  readonly page: DiffPage;
  /** Of the right run. */
  readonly at: { readonly line: number; readonly repeat: number };
  readonly isSideBySide: boolean;
  /** Node and kinds that rows are narrowed to. */
  readonly node: string | undefined;
  readonly only: readonly string[];
}

/** One row in both runs: what became of its outputs, and how that came about, node by node. */
export function DiffRowView({ page, at, isSideBySide, node: chosen, only }: DiffRowViewProps) {
  const place = { line: String(at.line), repeat: String(at.repeat) };
  const asked = comparedQuery(page.left.id, page.right.id, page.options, place);
  const row = useJson<DiffRow>(`diff/row?${asked}`);
  const { diff } = words.value.comparing;
  if (row.failure !== undefined) return <FailureView failure={row.failure} again={row.again} />;
  if (row.value === undefined) return <WaitingView lines={6} />;
  const { inputChanges, outputChanges, nodes, ended, title, left, right } = row.value;
  const isMeant = ({ node, kind }: (typeof nodes)[number]): boolean =>
    (chosen === undefined || instancesOf(chosen, page).includes(node)) && (only.length === 0 || only.includes(kind));
  const isOrigin = ({ kind }: (typeof nodes)[number]): boolean => kind !== 'effect' && kind !== 'both';
  const isAsked = chosen !== undefined || only.length > 0;
  const opened = (isAsked ? nodes.find(isMeant) : undefined) ?? nodes.find(isOrigin) ?? nodes[0];
  return (
    <article class="one-row" aria-busy={!row.isCurrent}>
      <h3 class="row-heading" dir="auto">
        {words.value.row} {right.line} <PlainText text={title} />
      </h3>
      <p class="small row-links">
        <a href={rowAddress(page.left.id, left)}>{diff.rowIn('A')}</a>
        <a href={rowAddress(page.right.id, right)}>{diff.rowIn('B')}</a>
      </p>
      {ended === undefined ? null : (
        <p class="plain-text">
          <del>
            <PlainText text={words.value.toldEnd(ended.left)} />
          </del>{' '}
          <ins>
            <PlainText text={words.value.toldEnd(ended.right)} />
          </ins>
        </p>
      )}
      <Changes title={diff.inputs} changes={inputChanges} {...{ isSideBySide }} />
      {outputChanges.places.length === 0 && nodes.length > 0 ? <p class="quiet">{diff.sameOutputs}</p> : null}
      <Changes title={diff.outputs} changes={outputChanges} {...{ isSideBySide }} />
      {nodes.length === 0 ? <p class="quiet">{diff.sameRow}</p> : <h4>{diff.came}</h4>}
      {nodes.map((node) => (
        <NodeChanges key={node.node} node={node} isOpen={node === opened} isSideBySide={isSideBySide} />
      ))}
    </article>
  );
}

interface NodeChangesProps {
  readonly node: DiffRow['nodes'][number];
  readonly isOpen: boolean;
  readonly isSideBySide: boolean;
}

/** Nodes that a name stands for. */
function instancesOf(name: string, { nodes }: DiffPage): readonly string[] {
  return nodes.find((node) => node.name === name)?.instances ?? [name];
}

/** Only where it began, or what was asked for, is unfolded: the eye goes there first. */
function NodeChanges({ node, isOpen, isSideBySide }: NodeChangesProps) {
  const { diff } = words.value.comparing;
  const isSame = node.changes.places.length === 0 && node.ended === undefined;
  return (
    <details class="node-changes" open={isOpen}>
      <summary>
        <b>{node.node}</b> <ChangeTag kind={node.kind} /> <span class="small quiet">{node.why[language.value]}</span>
        {node.ended === undefined ? null : (
          <span class="small">
            {' '}
            <del>{statusText(node.ended.left)}</del> <ins>{statusText(node.ended.right)}</ins>
          </span>
        )}
      </summary>
      <Changes title={diff.prompt} changes={node.promptChanges} isSideBySide={isSideBySide} />
      <Changes title={diff.output} changes={node.changes} isSideBySide={isSideBySide} />
      {isSame ? <p class="faint">{diff.orderOnly}</p> : null}
    </details>
  );
}

function statusText(status: string): string {
  const statuses: Readonly<Record<string, string>> = words.value.status;
  return statuses[status] ?? words.value.comparing.diff.noRecord;
}

interface ChangesProps {
  readonly title: string;
  readonly changes: DiffRow['inputChanges'];
  readonly isSideBySide: boolean;
}

const maxPlaces = 8;

function Changes({ title, changes: { places: changes, leftOut }, isSideBySide }: ChangesProps) {
  const [shown, setShown] = useState(maxPlaces);
  if (changes.length === 0) return null;
  const rest = changes.length - shown;
  return (
    <div class="changes">
      <h5>{title}</h5>
      {changes.slice(0, shown).map((change, at) => (
        <div key={`${at} ${change.path}`} class="place">
          {change.path === '' ? null : <code>{change.path}</code>}
          <Place change={change} isSideBySide={isSideBySide} />
        </div>
      ))}
      {rest <= 0 && leftOut > 0 ? <p class="small quiet">{words.value.comparing.diff.placesLeftOut(leftOut)}</p> : null}
      {rest <= 0 ? null : (
        <button type="button" class="link" onClick={() => setShown(shown + 50)}>
          {words.value.comparing.diff.morePlaces(rest + leftOut)}
        </button>
      )}
    </div>
  );
}

function Place({
  change: { left, right, words: changed },
  isSideBySide,
}: {
  readonly change: ValueChangeView;
  readonly isSideBySide: boolean;
}) {
  if (changed !== undefined)
    return <TextChanges changes={changed} isSideBySide={isSideBySide} language={right?.language} />;
  return (
    <div class={isSideBySide ? 'two-sides' : 'one-above'}>
      {left === undefined ? (
        <span class="faint">{isSideBySide ? '–' : ''}</span>
      ) : (
        <del class="block">
          <ValueView value={left} rest="" lines={6} />
        </del>
      )}
      {right === undefined ? null : (
        <ins class="block">
          <ValueView value={right} rest="" lines={6} />
        </ins>
      )}
    </div>
  );
}
