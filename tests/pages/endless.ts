import { expect } from 'vitest';
import { createTestWorld, type Said } from '../../packages/cli/src/testing/test-io.ts';
import type { TypedLine } from './typed-lines.ts';

/** A command that goes on until it is told to end: a server, a worker. */
export interface Endless {
  /** What it has printed, once this is in it. */
  printed(text: RegExp): Promise<string>;
  /** Ends it as Ctrl-C does. */
  end(): Promise<Said>;
}

/** The exit code of a worker that Ctrl-C ended: nothing went wrong with it. */
const interrupted = 130;

/** Resolves once it has printed something: where it listens, or that it waits. */
export async function startEndless(
  { words, environment: given }: TypedLine,
  { folder, environment = {} }: { readonly folder: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<Endless> {
  const interruption = new AbortController();
  let printed = '';
  const onWrite = (text: string): void => {
    printed += text;
  };
  const world = createTestWorld({
    ...{ folder, onStdout: onWrite, onStderr: onWrite },
    environment: { ...environment, ...given },
    signal: interruption.signal,
  });
  const ended = world.flow(...words);
  const early = ended.then(({ stderr }) => Promise.reject(new Error(`flow ${words.join(' ')} ended: ${stderr}`)));
  const has = (text: RegExp): Promise<unknown> => expect.poll(() => printed).toMatch(text) as Promise<unknown>;
  await Promise.race([has(/\n/), early]);
  return {
    printed: async (text) => {
      await Promise.race([has(text), early]);
      return printed;
    },
    end: async () => {
      early.catch(() => undefined);
      interruption.abort();
      const said = await ended;
      return { ...said, code: said.code === interrupted ? 0 : said.code };
    },
  };
}
