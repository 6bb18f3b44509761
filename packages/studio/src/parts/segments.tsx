export interface SegmentsProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly { readonly id: Choice; readonly text: string }[];
  readonly chosen: Choice;
  readonly choose: (id: Choice) => void;
}

/** A few alternatives beside each other, of which one holds. */
export function Segments<Choice extends string>({ label, choices, chosen, choose }: SegmentsProps<Choice>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(({ id, text }) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => choose(id)}>
          {text}
        </button>
      ))}
    </div>
  );
}
