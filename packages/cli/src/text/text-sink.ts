import type { TextSink } from '../io.ts';

/**
 * Colours, or one character that would move the cursor, ring, change the terminal, or show what stands round it in another order; line ends
 * and tabs are neither.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlled = /\u001B\[[\d;:]*m|\r\n|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * A sink over what writes. The texts of models, files and users cannot act as commands to a terminal: control characters but
 * line ends, tabs and colours, and those that turn the order of text, are shown as a sign there. Into a file or pipe, which may be shown on one later, they go as JSON
 * escapes them, so that JSON stays what it is.
 */
export function textSink(
  write: (text: string) => void,
  terminal: Pick<TextSink, 'isTerminal' | 'columns' | 'rows'>,
): TextSink {
  const [forPeople, forPrograms] = terminal.isTerminal ? [shown, shown] : [escaped, asItIs];
  return Object.defineProperties(
    {
      write: (text: string) => write(forPeople(text)),
      data: (text: string) => write(forPrograms(text)),
      control: write,
    },
    Object.getOwnPropertyDescriptors(terminal),
  ) as TextSink;
}

const asItIs = (text: string): string => text;

function escaped(text: string): string {
  const asInJson = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(controlled, (found) => (found.length > 1 ? found : asInJson(found)));
}

export function shown(text: string): string {
  return text.replace(controlled, (found) => (found.length > 1 ? found : '\uFFFD'));
}
