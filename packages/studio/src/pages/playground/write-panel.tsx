import type { Checked, LineChange } from '@unroll/project/studio-contract';
import { PlainText } from '../../parts/plain-text.tsx';
import { keyName } from '../../shell/key-hint.tsx';
import { words } from '../../words/words.ts';

export interface WritePanelProps {
  readonly checked: Checked | undefined;
  readonly canWrite: boolean;
  readonly write: () => void;
}

/** What each file becomes, line by line; nothing is written before it was shown. */
export function WritePanel({ checked, canWrite, write }: WritePanelProps) {
  const { playground } = words.value.trying;
  const files = checked?.files ?? [];
  if (files.length === 0) return null;
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return (
    <section class="panel playground-write" aria-labelledby="write-heading">
      <header>
        <h2 id="write-heading">{playground.write(files.map(({ path }) => path).join(', '))}</h2>
        <span class="faint small">{playground.writeHelp}</span>
        <button type="button" class="button" disabled={!canWrite} onClick={write}>
          {playground.writeLines(lines)} <kbd>{keyName('Control+s')}</kbd>
        </button>
      </header>
      {files.map(({ path, changes }) => (
        <div key={path} class="file-change">
          {files.length === 1 ? null : <h3>{path}</h3>}
          {changes.map((change, at) => (
            <Line key={at} change={change} />
          ))}
        </div>
      ))}
    </section>
  );
}

function Line({ change }: { readonly change: LineChange }) {
  if (change.kind === 'skipped')
    return <p class="line faint small">⋯ {words.value.trying.playground.skipped(change.lines)}</p>;
  const text = change.text === '' ? ' ' : change.text;
  const shown = <PlainText text={text} />;
  return (
    <p class="line">
      <span class="faint number">{change.line}</span>
      <span class="plain-text">
        {change.kind === 'same' ? shown : null}
        {change.kind === 'removed' ? <del>{shown}</del> : null}
        {change.kind === 'added' ? <ins>{shown}</ins> : null}
      </span>
    </p>
  );
}
