import { ProjectFailure } from '@unroll/project/project-failure';
import type { SettingsOf } from '../command-spec.ts';
import { color, json } from './common-options.ts';
import { argument, choice, decimal, flag, parsedText, restOfArguments, text, wholeNumber } from './option-kinds.ts';

const quiet = flag('--quiet', 'print only what went wrong');
const connectionsFile = text('--connections <file>', 'look in this connections file first');
const index = argument('<index>', 'the file of an index');
const limits = {
  limitRpm: wholeNumber('--limit-rpm <n>', 'requests a minute to the embedding model', 1),
  limitTpm: wholeNumber('--limit-tpm <n>', 'tokens a minute to the embedding model', 1),
};
const embedder = {
  embedder: text('--embedder <connection>', 'make vectors too; "offline" needs no model (docs/guide/index.md)'),
  model: text('--model <name>', 'the embedding model, at Azure its deployment'),
  dimensions: wholeNumber('--dimensions <n>', 'shorter vectors, where the model can give them', 1),
};

export const buildIndexSettings = {
  paths: restOfArguments('<paths...>', 'files, and folders with all below them'),
  out: text('-o, --out <file>', 'the index file, name.index'),
  ...embedder,
  chunkTokens: wholeNumber(
    '--chunk-tokens <n>',
    'largest piece of a document, in tokens as estimated (default: 400)',
    20,
  ),
  overlap: wholeNumber('--overlap <n>', 'tokens that the next piece repeats (default: 60)', 0),
  rebuild: flag('--rebuild', 'make it again, for instance with another embedding model'),
  azure: text('--azure <connection>', 'then make the index of Azure AI Search the same'),
  name: text('--name <name>', 'with --azure: what it is called there (default: as the file)'),
  ...limits,
  connectionsFile,
  quiet,
  json,
  color,
};

export const updateIndexSettings = {
  index,
  paths: restOfArguments('[paths...]', 'more files and folders'),
  ...limits,
  connectionsFile,
  quiet,
  json,
  color,
};

export const queryIndexSettings = {
  index: argument('<index>', 'the file of an index; with --azure its name there'),
  query: argument('<query>', 'what to search for'),
  mode: choice('--mode <mode>', 'default: hybrid where there are vectors', ['keyword', 'vector', 'hybrid']),
  topK: wholeNumber('--top-k <n>', 'how many hits (default: 5)', 1),
  filter: text('--filter <json>', 'which documents, as lookup nodes write it: {"lang": "ja"}'),
  minimumScore: parsedText('--minimum-score <n>', 'leave out hits that score less', (given, name) => {
    const least = decimal(given);
    if (least !== undefined) return least;
    throw new ProjectFailure(`${name} takes a number, not "${given}"`);
  }),
  fusion: text('--fusion <json>', 'how hybrid brings both together: {"method": "rrf"}'),
  ...embedder,
  azure: text('--azure <connection>', 'an index of Azure AI Search (docs/azure-ai-search.md)'),
  semantic: text('--semantic <name>', 'with --azure: rank again by this semantic configuration'),
  connectionsFile,
  json,
  color,
};

export const indexInfoSettings = { index, json };

export type BuildIndexSettings = SettingsOf<typeof buildIndexSettings>;
export type UpdateIndexSettings = SettingsOf<typeof updateIndexSettings>;
export type QueryIndexSettings = SettingsOf<typeof queryIndexSettings>;
export type IndexInfoSettings = SettingsOf<typeof indexInfoSettings>;
