import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { noColor } from './command-table-options.ts';

const json = { flags: '--json', about: 'print JSON' };
const quiet = { flags: '--quiet', about: 'print only what went wrong' };
const connections = { flags: '--connections <file>', about: 'look in this connections file first' };
const index = { name: '<index>', about: 'the file of an index' };
const limits: readonly OptionSpec[] = [
  { flags: '--limit-rpm <n>', about: 'requests a minute to the embedding model' },
  { flags: '--limit-tpm <n>', about: 'tokens a minute to the embedding model' },
];
const embedder: readonly OptionSpec[] = [
  { flags: '--embedder <connection>', about: 'make vectors too; "offline" needs no model (docs/guide/index.md)' },
  { flags: '--model <name>', about: 'the embedding model, at Azure its deployment' },
  { flags: '--dimensions <n>', about: 'shorter vectors, where the model can give them' },
];
const azure: readonly OptionSpec[] = [
  { flags: '--azure <connection>', about: 'an index of Azure AI Search (docs/azure-ai-search.md)' },
];

export const indexCommand: CommandSpec = {
  name: 'index',
  summary: 'build search indexes over documents, keep them up to date, ask them',
  description:
    'Makes an index file of Markdown, text, HTML, PDF, Word, JSON and CSV files. Lookup nodes search it by words, by meaning or both.',
  arguments: [],
  options: [],
  examples: ['flow index build docs --out docs.index', 'flow index query docs.index "data breach"'],
  commands: [
    {
      name: 'build',
      summary: 'make an index of files and folders, or bring it up to date with them',
      description:
        'Reads documents, cuts them by headings and paragraphs, and writes one index file. What has not changed is kept; a file that cannot be read is told and the rest is built.',
      arguments: [{ name: '<paths...>', about: 'files, and folders with all below them' }],
      options: [
        { flags: '-o, --out <file>', about: 'the index file, name.index' },
        ...embedder,
        { flags: '--chunk-tokens <n>', about: 'largest piece of a document, in tokens as estimated (default: 400)' },
        { flags: '--overlap <n>', about: 'tokens that the next piece repeats (default: 60)' },
        { flags: '--rebuild', about: 'make it anew, for instance with another embedding model' },
        { flags: '--azure <connection>', about: 'then make the index of Azure AI Search the same' },
        { flags: '--name <name>', about: 'with --azure: what it is called there (default: as the file)' },
        ...limits,
        connections,
        quiet,
        json,
        noColor,
      ],
      examples: [
        'flow index build docs --out docs.index',
        'flow index build docs faq.jsonl --out my-flow/kb.index --embedder azure --model text-embedding-3-small',
        'flow index build docs --out docs.index --azure my_search --name docs',
      ],
      load: async () => (await import('./commands/index/build.ts')).build,
    },
    {
      name: 'update',
      summary: 'read the files of an index again that have changed',
      description: 'Brings an index up to date with the files and folders it was built from; more may be added.',
      arguments: [index, { name: '[paths...]', about: 'more files and folders' }],
      options: [...limits, connections, quiet, json, noColor],
      examples: ['flow index update docs.index', 'flow index update docs.index more-docs'],
      load: async () => (await import('./commands/index/update.ts')).update,
    },
    {
      name: 'query',
      summary: 'ask an index and show the hits',
      description: 'Searches an index as a lookup node does.',
      arguments: [
        { name: '<index>', about: 'the file of an index; with --azure its name there' },
        { name: '<query>', about: 'what to search for' },
      ],
      options: [
        {
          flags: '--mode <mode>',
          about: 'default: hybrid where there are vectors',
          choices: ['keyword', 'vector', 'hybrid'],
        },
        { flags: '--top-k <n>', about: 'how many hits (default: 5)' },
        { flags: '--filter <json>', about: 'which documents, as lookup nodes write it: {"lang": "ja"}' },
        { flags: '--minimum-score <n>', about: 'leave out hits that score less' },
        { flags: '--fusion <json>', about: 'how hybrid brings both together: {"method": "rrf"}' },
        ...embedder,
        ...azure,
        { flags: '--semantic <name>', about: 'with --azure: rank again by this semantic configuration' },
        connections,
        json,
        noColor,
      ],
      examples: [
        'flow index query docs.index "漏えい等の報告" --top-k 3',
        `flow index query docs.index "consent" --filter '{"source": "docs/faq.md"}' --json`,
      ],
      load: async () => (await import('./commands/index/query.ts')).query,
    },
    {
      name: 'info',
      summary: 'what an index holds and how it was made',
      description: 'Shows the numbers of an index, what it was made with, and which fields a filter may ask for.',
      arguments: [index],
      options: [json],
      examples: ['flow index info docs.index'],
      load: async () => (await import('./commands/index/info.ts')).info,
    },
  ],
};
