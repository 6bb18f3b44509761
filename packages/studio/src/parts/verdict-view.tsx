import type { Sentence, SentencePart, Verdict } from '@unroll/project/studio-contract';
import { placeAddress } from '../route/view.ts';
import { words } from '../words/words.ts';

export interface VerdictViewProps {
  readonly verdict: Verdict;
}

/** The answer of a page, large, and what belongs to it; a polite live region while the run goes on. */
export function VerdictView({ verdict: { answer, details, isSoFar } }: VerdictViewProps) {
  if (answer.length === 0 && details.length === 0) return <div class="verdict" />;
  const { verdict, soFar } = words.value;
  return (
    <section class="verdict" aria-label={verdict} aria-live={isSoFar ? 'polite' : undefined}>
      <p class="say">
        {isSoFar && answer.length > 0 ? <span class="quiet">{soFar} </span> : null}
        <Sentences sentences={answer} />
      </p>
      {details.length === 0 ? null : (
        <p class="why">
          <Sentences sentences={details} />
        </p>
      )}
    </section>
  );
}

export interface SentencesProps {
  readonly sentences: readonly Sentence[];
}

/** One after the other, in the language of the reader. */
export function Sentences({ sentences }: SentencesProps) {
  const { language } = words.value;
  return (
    <>
      {sentences.map(({ rule, parts }, index) => (
        <span key={`${rule} ${index}`} lang={language} data-rule={rule}>
          {index > 0 && language === 'en' ? ' ' : ''}
          {parts.map((part, at) => (
            <Part key={`${part.text} ${at}`} part={part} />
          ))}
        </span>
      ))}
    </>
  );
}

function Part({ part: { text: given, as, tone, to } }: { readonly part: SentencePart }) {
  // The sentence ends with its own full stop.
  const text = as === 'told' ? words.value.told(given).replace(/。$/, '') : words.value.inLines(given);
  const tint = tone === 'bad' ? 'bad' : tone === 'good' ? 'ok' : '';
  const kind = as === 'figure' ? `${tint} one-line` : tint;
  if (to !== undefined)
    return (
      <a class={kind} href={placeAddress(to)}>
        {text}
      </a>
    );
  return kind === '' ? text : <span class={kind}>{text}</span>;
}
