const names: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
  'Control+k': 'Ctrl K',
};

export interface KeyHintProps {
  readonly keys: string;
}

/** `g r` as two keys. */
export function KeyHint({ keys }: KeyHintProps) {
  const parts = keys === ' ' ? [keys] : keys.split(' ');
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index > 0 ? ' ' : ''}
          <kbd key={part}>{names[part] ?? part}</kbd>
        </>
      ))}
    </>
  );
}
