import { hasCommandKey } from './command-key.ts';

/** Keys as they stand on keyboards, in every language. */
const names: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
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
          <kbd key={part}>{keyName(part)}</kbd>
        </>
      ))}
    </>
  );
}

/** `Control+enter` as `Ctrl Enter`, or `⌘ Enter`. */
export function keyName(key: string, isCommand = hasCommandKey): string {
  const [, letter] = /^Control\+(.+)$/.exec(key) ?? [];
  if (letter !== undefined) return `${isCommand ? '⌘' : 'Ctrl'} ${letter.charAt(0).toUpperCase()}${letter.slice(1)}`;
  return names[key] ?? key;
}
