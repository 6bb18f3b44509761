import type { SpokenOutputs } from '@unroll/project/studio-contract';
import { PlainText } from './plain-text.tsx';
import { ValueView } from './value-view.tsx';

export interface SpokenViewProps {
  readonly said: SpokenOutputs;
  /** Where the rest of a cut value is asked for: `runs/RUN/rows/LINE/REPEAT/values/`. */
  readonly rest: string;
  readonly lines: number;
}

/** What a row says, with its line breaks, and what it gives beside that. */
export function SpokenView({ said: { answer, others }, rest, lines }: SpokenViewProps) {
  return (
    <>
      <ValueView value={answer} rest={rest} lines={lines} isReading />
      {others.length === 0 ? null : (
        <dl class="facts small spoken-facts">
          {others.map(({ name, text }) => (
            <div key={name}>
              <dt>
                <PlainText text={name} />
              </dt>
              <dd class="plain-text">
                <PlainText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
