import type { TextSink } from '../io.ts';

/** Colours, or one character that would move the cursor, ring, or change the terminal; line ends and tabs are neither. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlled = /\u001B\[[\d;:]*m|\r\n|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/**
 * A sink over what writes. On a terminal the texts of models, files and users cannot act as commands to it: control
 * characters but line ends, tabs and colours are shown as a sign. Into a file or pipe everything goes as it is.
 */
export function textSink(
  write: (text: string) => void,
  terminal: Pick<TextSink, 'isTerminal' | 'columns' | 'rows'>,
): TextSink {
  return Object.defineProperties(
    { write: terminal.isTerminal ? (text: string) => write(shown(text)) : write, control: write },
    Object.getOwnPropertyDescriptors(terminal),
  ) as TextSink;
}

export function shown(text: string): string {
  return text.replace(controlled, (found) => (found.length > 1 ? found : '\uFFFD'));
}
