import { unprintableName, unprintables } from './unprintable.ts';

export interface PlainTextProps {
  readonly text: string;
}

/** What came from outside, as text and nothing else: marks that are not seen, or turn the text round, are drawn as boxes. */
export function PlainText({ text }: PlainTextProps) {
  const parts = text.split(unprintables);
  if (parts.length === 1) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="unprintable">
            {unprintableName(part)}
          </span>
        ),
      )}
    </>
  );
}
