interface ChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoice: (value: string) => void;
}

/** One of several values; nothing where there is no choice. */
export function Choice({ label, values, chosen, onChoice }: ChoiceProps) {
  if (values.length < 2) return null;
  return (
    <select
      class="button"
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoice(value)}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}
