import xterm from '@xterm/headless';
import type { TextSink } from '../io.ts';
import { textSink } from '../text/text-sink.ts';

/** A real terminal emulator as a sink, so that what is drawn can be read off the screen. */
export interface TestTerminal {
  readonly sink: TextSink;
  resize(columns: number, rows: number): void;
  /** Lines with something on them, above the screen as well. */
  screen(): Promise<readonly string[]>;
  /** All that was written, with its codes. */
  written(): string;
}

export function createTestTerminal(columns: number, rows: number): TestTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  let written = '';
  const write = (text: string): void => {
    written += text;
    terminal.write(text);
  };
  return {
    sink: textSink(write, {
      isTerminal: true,
      get columns() {
        return terminal.cols;
      },
      get rows() {
        return terminal.rows;
      },
    }),
    resize: (toColumns, toRows) => terminal.resize(toColumns, toRows),
    screen: async () => {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const { active } = terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
    },
    written: () => written,
  };
}
