import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  buildIndexSettings,
  indexInfoSettings,
  queryIndexSettings,
  updateIndexSettings,
} from './options/index-options.ts';

export const indexCommand: CommandSpec = commandGroup({
  name: 'index',
  summary: 'build search indexes over documents, keep them up to date, ask them',
  description:
    'Makes an index file of Markdown, text, HTML, PDF, Word, JSON and CSV files. Lookup nodes search it by words, by meaning or both.',
  examples: ['flow index build docs --out docs.index', 'flow index query docs.index "data breach"'],
  commands: [
    command({
      name: 'build',
      summary: 'make an index of files and folders, or bring it up to date with them',
      description:
        'Reads documents, cuts them by headings and paragraphs, and writes one index file. What has not changed is kept; a file that cannot be read is told and the rest is built.',
      settings: buildIndexSettings,
      examples: [
        'flow index build docs --out docs.index',
        'flow index build docs faq.jsonl --out kb.index --embedder azure --model text-embedding-3-small',
        'flow index build docs --out docs.index --azure my_search --name docs',
      ],
      load: async () => (await import('./commands/index/build.ts')).build,
    }),
    command({
      name: 'update',
      summary: 'read the files of an index again that have changed',
      description: 'Brings an index up to date with the files and folders it was built from; more may be added.',
      settings: updateIndexSettings,
      examples: ['flow index update docs.index', 'flow index update docs.index more-docs'],
      load: async () => (await import('./commands/index/update.ts')).update,
    }),
    command({
      name: 'query',
      summary: 'ask an index and show the hits',
      description: 'Searches an index as a lookup node does.',
      settings: queryIndexSettings,
      examples: [
        'flow index query docs.index "漏えい等の報告" --top-k 3',
        `flow index query docs.index "consent" --filter '{"source": "docs/faq.md"}' --json`,
      ],
      load: async () => (await import('./commands/index/query.ts')).query,
    }),
    command({
      name: 'info',
      summary: 'what an index holds and how it was made',
      description: 'Shows the numbers of an index, what it was made with, and which fields a filter may ask for.',
      settings: indexInfoSettings,
      examples: ['flow index info docs.index'],
      load: async () => (await import('./commands/index/info.ts')).info,
    }),
  ],
});
