import { type Context, createContext, Script } from 'node:vm';

/** Milliseconds that a pattern may look at one text: of some patterns a text of forty characters takes years. */
const longestMs = 1000;

/** Whether the pattern of somebody matches took longer to find out than is waited. */
export class MatchTookTooLong extends Error {
  constructor() {
    super(`a pattern took more than ${longestMs / 1000} s`);
    this.name = 'MatchTookTooLong';
  }
}

interface Bounded {
  readonly context: Context;
  readonly script: Script;
}

let bounded: Bounded | undefined;

/**
 * What matching with patterns of somebody else gives: nothing but a limit of the engine ends a match that goes on. Costs a tenth
 * of a millisecond.
 *
 * @throws MatchTookTooLong
 */
export function boundedMatch<Found>(match: () => Found): Found {
  bounded ??= { context: createContext({ match: undefined }), script: new Script('match()') };
  const { context, script } = bounded;
  context['match'] = match;
  try {
    return script.runInContext(context, { timeout: longestMs }) as Found;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new MatchTookTooLong();
    throw thrown;
  }
}

/** Characters of a text that a pattern with one repetition goes over in an instant, from wherever it begins. */
const shortText = 10_000;

/** Whether a pattern may be slow over a text: it repeats in more than one way, or the text is long. */
export function mayBeSlow(pattern: string, text: string): boolean {
  return text.length > shortText || (pattern.match(/[*+{]|\\[1-9k]/g)?.length ?? 0) > 1;
}
