import { mistakesInJapanese } from '../mistakes/mistakes-in-japanese.ts';
import { sentenceTeller } from '../told/sentence-teller.ts';
import { toldSentences, withHelpInJapanese } from '../told/told-in-japanese.ts';
import { argumentParserJapanese } from './argument-parser-japanese.ts';
import { commandLineJapanese } from './command-line-japanese.ts';
import { connectionsJapanese } from './connections-japanese.ts';
import { dataJapanese } from './data-japanese.ts';
import { deploymentJapanese } from './deployment-japanese.ts';
import { engineJapanese } from './engine-japanese.ts';
import { evaluationsJapanese } from './evaluations-japanese.ts';

/**
 * Why a command did nothing, or could not go on. They are all Unroll's own words, so that sentences as short as `{} is a file` can be
 * told, which among the words of code and services could be somebody else's.
 */
export const commandSentences: Readonly<Record<string, string>> = {
  ...commandLineJapanese,
  ...connectionsJapanese,
  ...dataJapanese,
  ...deploymentJapanese,
  ...engineJapanese,
  ...evaluationsJapanese,
};

const known = { ...toldSentences, ...commandSentences, ...argumentParserJapanese };
const tell = sentenceTeller(known, (value) => commandFailureInJapanese(value));

/** Why a command ended, or what to do about it; a text that is not known as it is. */
export function commandFailureInJapanese(text: string): string {
  if (listsMistakes.test(text)) return mistakesInJapanese(text);
  return withHelpInJapanese(text, tell) ?? tell(text) ?? text;
}

/** Lines of `flow check`. */
const listsMistakes = /^(?:\S+:\d+:\d+ )?(?:error|warning) [A-Z_]+ /;
