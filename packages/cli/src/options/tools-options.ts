import type { SettingsOf } from '../command-spec.ts';
import { color, json } from './common-options.ts';
import { argument, choice, flag, optionalArgument, restOfArguments, text, texts, wholeNumber } from './option-kinds.ts';

const catalogue = argument('<catalogue>', 'a .tools file, or a file that describes tools');
const quiet = flag('--quiet', 'no progress');

export const buildToolsSettings = {
  files: restOfArguments('[file...]', 'files that describe tools'),
  mcp: texts('--mcp <name=server>', 'a running MCP server: its address, or the command that starts it; again for each'),
  out: text('-o, --out <file>', 'the catalogue to write, for instance shop.tools'),
  queriesBy: text('--queries-by <connection>', 'a model writes requests for each tool, which are searched too'),
  model: text('--model <name>', 'with --queries-by: the model, at Azure its deployment'),
  queriesEach: wholeNumber('--queries-each <n>', 'with --queries-by: so many a tool (default: 10)', 1),
  connectionsFile: text('--connections <file>', 'look in this connections file first'),
  allowMistakes: flag('--allow-mistakes', 'leave out what cannot be read, and write the rest'),
  json: flag('--json', 'print one JSON object'),
  quiet,
  color,
};

export const queryToolsSettings = {
  catalogue,
  query: argument('<query>', 'the request, in words'),
  top: wholeNumber('-k, --top <n>', 'how many at most (default: 5)', 1),
  category: texts('--category <name>', 'tools of this category alone; again for each'),
  ranking: choice('--ranking <way>', 'features (default) or bm25f', ['features', 'bm25f']),
  retriever: text('--retriever <file>', 'what flow tools train wrote, in place of the ranking'),
  json,
  color,
};

export const trainToolsSettings = {
  catalogue,
  out: text('-o, --out <file>', 'the retriever to write, for instance shop.model'),
  queries: text('--queries <file>', 'JSONL: {query, relevant: [names of tools]}'),
  unseen: text('--unseen <file>', 'names of tools, one a line, that are kept out of the training'),
  made: wholeNumber('--made <n>', 'without --queries: so many made requests (default: 3000; 0 for none)', 0),
  json,
  quiet,
  color,
};

export const serveToolsSettings = {
  catalogue,
  recorded: text('--recorded <file>', 'JSONL of recorded answers; what is simulated is written there too'),
  simulator: text(
    '--simulator <flow>',
    'a flow that answers what was not recorded: its inputs are request and documentation',
  ),
  connections: texts(
    '--connections <file or node.key=value...>',
    'connections of the simulator: their file, or one for a node; again for each',
  ),
  port: wholeNumber('--port <n>', 'where to listen (default: 8080; 0 for any)', 0, 65_535),
  color,
};

export const toolsInfoSettings = { catalogue, tool: optionalArgument('[tool]', 'the name of a tool'), json, color };

export type BuildToolsSettings = SettingsOf<typeof buildToolsSettings>;
export type QueryToolsSettings = SettingsOf<typeof queryToolsSettings>;
export type TrainToolsSettings = SettingsOf<typeof trainToolsSettings>;
export type ServeToolsSettings = SettingsOf<typeof serveToolsSettings>;
export type ToolsInfoSettings = SettingsOf<typeof toolsInfoSettings>;
