import type { FailureGroup } from '@unroll/project/studio-contract';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { rowAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface FailuresProps {
  readonly run: string;
  readonly failures: readonly FailureGroup[];
}

/** Rows that failed in the same way, together. */
export function Failures({ run, failures }: FailuresProps) {
  const { failures: title, failuresOf, retryHelps, retryDoesNot, row } = words.value;
  if (failures.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="failures-title">
      <header>
        <h2 id="failures-title">{title}</h2>
      </header>
      <ul class="failures">
        {failures.map(({ node, code, message, retryable, rows, examples }) => (
          <li key={`${node} ${code} ${message}`}>
            <p>
              <Mark shape="failed" /> <b class="bad">{failuresOf(rows)}</b> {node === undefined ? '' : `${node}: `}
              <code>{code}</code>
              {retryable === undefined ? null : <span class="faint"> · {retryable ? retryHelps : retryDoesNot}</span>}
            </p>
            <p class="plain-text quiet">
              <PlainText text={words.value.told(message)} />
            </p>
            <p class="small">
              {examples.map((at) => (
                <a key={`${at.line} ${at.repeat}`} href={rowAddress(run, at)}>
                  {row} {at.line}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
