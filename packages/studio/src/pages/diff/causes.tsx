import type { DiffCause, DiffPage } from '@unroll/project/studio-contract';
import { PlainText } from '../../parts/plain-text.tsx';
import { TextChanges } from '../../parts/text-changes.tsx';
import { words } from '../../words/words.ts';

export interface CausesProps {
  readonly page: DiffPage;
  readonly isSideBySide: boolean;
}

/** Every changed definition that shows, with its words where they are recorded. */
export function Causes({ page: { causes, nodes }, isSideBySide }: CausesProps) {
  if (causes.length === 0) return null;
  return (
    <section class="causes" aria-label={words.value.comparing.diff.causes}>
      {causes.map((cause, at) => (
        <Cause
          key={`${cause.part} ${cause.nodes.join()}`}
          {...{ cause, number: at + 1, isSideBySide }}
          instances={instancesText(cause, nodes)}
        />
      ))}
    </section>
  );
}

/** `agent ×3`. */
function instancesText({ nodes }: DiffCause, all: DiffPage['nodes']): string {
  return nodes
    .map((name) => {
      const instances = all.find((node) => node.name === name)?.instances.length ?? 1;
      return instances > 1 ? `${name} ×${instances}` : name;
    })
    .join(', ');
}

interface CauseProps {
  readonly cause: DiffCause;
  readonly number: number;
  readonly instances: string;
  readonly isSideBySide: boolean;
}

function Cause({
  cause: { part, rows, written, left, right, words: changed },
  number,
  instances,
  isSideBySide,
}: CauseProps) {
  const { diff } = words.value.comparing;
  const hasValues = left !== undefined || right !== undefined;
  return (
    <article class="panel cause">
      <header>
        <span class="change-tag cause">
          <span aria-hidden="true">◆</span> {diff.cause(number)}
        </span>
        <h2>
          <PlainText text={part} />
        </h2>
        <p class="faint small">
          {instances} · {words.value.failuresOf(rows)}
          {written === undefined ? '' : ` · ${written}`}
        </p>
      </header>
      <div class="body">
        {changed === undefined ? null : <TextChanges changes={changed} isSideBySide={isSideBySide} />}
        {changed === undefined && hasValues ? (
          <p class="plain-text">
            <del>
              <PlainText text={left ?? '–'} />
            </del>{' '}
            <ins>
              <PlainText text={right ?? '–'} />
            </ins>
          </p>
        ) : null}
        {changed === undefined && !hasValues ? <p class="faint">{diff.onlyDigest}</p> : null}
      </div>
    </article>
  );
}
