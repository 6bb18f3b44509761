import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestWorld } from '../../packages/cli/src/testing/test-io.ts';
import { type Endless, startEndless } from './endless.ts';
import { lasting, notPrinted } from './shown-runs.ts';
import { type PageLine, pageLines, type TypedLine, typedLine } from './typed-lines.ts';

const root = join(import.meta.dirname, '../..');

/** A page whose command lines are typed one after the other, as a reader does. What does not end by itself goes on until the next such line, or to the end. */
export interface Rehearsal extends AsyncDisposable {
  /** Types so many of the lines that are left, all where nothing is said, and expects what the page shows of each. */
  type(count?: number): Promise<void>;
  /** Goes past a line that cannot be typed here. */
  pass(command: string): void;
  /** What a command that does not end has printed so far, once this is in it. */
  printed(text: RegExp): Promise<string>;
}

/** Who reads it, and where. */
export interface Reader {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What the reader types in place of words of the page: FLOW and FILE, addresses that are others here. */
  readonly words?: Readonly<Record<string, string>>;
  /** Takes out of texts what only this machine has. */
  readonly lasting?: (text: string) => string;
  /** Types a line that is none of flow's, and gives what that prints. */
  readonly other?: (typed: TypedLine) => Promise<string>;
}

export function rehearsal(page: string, reader: Reader): Rehearsal {
  const waiting = [...pageLines(readFileSync(join(root, page), 'utf8'))];
  expect(waiting.length).toBeGreaterThan(0);
  let endless: (Endless & { readonly line: PageLine }) | undefined;
  const end = async (): Promise<void> => {
    const [ended, line] = [await endless?.end(), endless?.line];
    endless = undefined;
    if (ended !== undefined && line !== undefined) expectSaid(line, ended, reader);
  };
  const typeLine = async (line: PageLine): Promise<void> => {
    const typed = typedOf(line, reader);
    if (!isEndless(typed)) return await expectTyped(line, typed, reader);
    await end();
    endless = { ...(await startEndless(typed, reader)), line };
  };
  return {
    type: async (count) => {
      for (const line of waiting.splice(0, count ?? waiting.length)) await typeLine(line);
      if (waiting.length === 0) await end();
    },
    pass: (command) => expect(waiting.shift()?.command).toBe(command),
    printed: async (text) => (await endless?.printed(text)) ?? '',
    [Symbol.asyncDispose]: async () => {
      await endless?.end();
    },
  };
}

/** A text of the page with the reader's own words. */
const inWordsOf = (words: Readonly<Record<string, string>>, text: string): string =>
  Object.entries(words).reduce((said, [word, by]) => said.replaceAll(word, by), text);

const typedOf = ({ command }: PageLine, { words = {}, environment }: Reader): TypedLine =>
  typedLine(inWordsOf(words, command), environment?.['HOME'] ?? '~');

const isEndless = ({ program, words }: TypedLine): boolean =>
  program === 'flow' && ['dev', 'serve', 'view', 'worker'].includes(words[0] ?? '') && !words.includes('--export');

let runs = 0;
/** Each line has a world of its own, and what they record lies in one folder. */
const randomText = (): string => `r${String(runs++).padStart(3, '0')}`;

/** What a reader on a terminal says to the command, which the page shows behind its prompt. */
const answersOf = (lines: readonly string[]): string =>
  lines.flatMap((line) => /^User: (.*)/.exec(line)?.slice(1) ?? []).join('\n');

async function expectTyped(line: PageLine, typed: TypedLine, reader: Reader): Promise<void> {
  const { folder, environment, other } = reader;
  if (typed.program === 'rm') {
    for (const path of typed.words) rmSync(join(folder, path));
  } else if (typed.program === 'flow') {
    const answers = answersOf(line.lines);
    const input = { stdin: typed.stdin ?? answers, isInteractive: answers !== '' };
    const world = createTestWorld({
      folder,
      randomText,
      ...input,
      environment: { ...environment, ...typed.environment },
    });
    const said = await world.flow(...typed.words);
    if (typed.into !== undefined) writeFileSync(join(folder, typed.into), said.stdout);
    expectSaid(line, said, reader);
  } else {
    if (other === undefined) throw new Error(`bug: nobody types ${line.command}`);
    expectSaid(line, { code: 0, stdout: await other(typed), stderr: '' }, reader);
  }
}

/** What was said is what the page shows; where it shows nothing, the command does what it is told without a word against it. */
function expectSaid(
  { command, lines }: PageLine,
  { code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string },
  { environment = {}, words = {}, lasting: ours = (text) => text }: Reader,
): void {
  if (lines.length === 0) {
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: expect.not.stringMatching(/error/i) });
    return;
  }
  const home = (text: string): string => text.replaceAll(environment['HOME'] ?? '~', '~');
  const seen = [stdout, `${stderr}${stdout}`, `${stdout}${stderr}`].map((text) => lasting(ours(home(text))));
  const shown = lines.map((line) => ours(inWordsOf(words, line.replace(/^User: .*/, 'User:'))));
  const printed = seen.find((one) => notPrinted(shown, one).length === 0) ?? seen[1] ?? [];
  expect(notPrinted(shown, printed), `${command}\n${printed.join('\n')}`).toEqual([]);
}
