import type { NodeView } from '@unroll/project/studio-contract';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { statusShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';

/** Nodes that did something, in the order of the flow. */
export function Steps({ nodes }: { readonly nodes: readonly NodeView[] }) {
  const { status, tokens } = words.value;
  return (
    <ol class="steps">
      {nodes
        .filter((node) => node.status !== 'Bypassed' && node.status !== 'NotRun')
        .map((node) => {
          const shown = node.takenFrom === undefined ? node.status : 'cached';
          return (
            <li key={node.name}>
              <Mark shape={statusShape(shown)} label={status[shown]} />
              <b>{node.name}</b>
              <span class="quiet did-there">
                <PlainText text={node.did ?? words.value.told(node.error?.message ?? '')} />
              </span>
              <span class="faint one-line">
                {node.tokens === undefined ? '' : `${node.tokens.total.text} ${tokens}`}
              </span>
            </li>
          );
        })}
    </ol>
  );
}

export interface LiveStepsProps {
  /** In the order they are shown. */
  readonly names: readonly string[];
  readonly statuses: ReadonlyMap<string, NodeView['status'] | 'Running'>;
}

/** Nodes as they begin and end. */
export function LiveSteps({ names, statuses }: LiveStepsProps) {
  const { status } = words.value;
  const known = names.flatMap((name) => {
    const now = statuses.get(name);
    return now === undefined || now === 'Bypassed' || now === 'NotRun' ? [] : [{ name, now }];
  });
  return (
    <ol class="steps" aria-live="polite">
      {known.map(({ name, now }) => (
        <li key={name}>
          <Mark shape={statusShape(now)} label={status[now]} />
          <b>{name}</b>
        </li>
      ))}
    </ol>
  );
}
