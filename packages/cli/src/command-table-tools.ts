import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  buildToolsSettings,
  queryToolsSettings,
  serveToolsSettings,
  toolsInfoSettings,
  trainToolsSettings,
} from './options/tools-options.ts';

export const toolsCommand: CommandSpec = commandGroup({
  name: 'tools',
  summary: 'catalogues of tools: build one, look tools up in it',
  description:
    'Makes one catalogue of the tools that files describe, and finds in it those that a request needs (docs/guide/tools.md).',
  examples: ['flow tools build api.yaml --out shop.tools', 'flow tools query shop.tools "cancel my order"'],
  commands: [
    command({
      name: 'build',
      summary: 'make a catalogue of the tools that files describe',
      description:
        'Reads tools from OpenAPI documents (YAML, JSON), lists of tools as OpenAI takes them, answers of MCP servers to tools/list, and JSONL; gives each a name that models may be told; writes a .tools file.',
      settings: buildToolsSettings,
      examples: [
        'flow tools build api.yaml tools.jsonl --out shop.tools',
        'flow tools build --mcp "docs=npx -y my-docs-server" --out docs.tools',
      ],
      load: async () => (await import('./commands/tools/build.ts')).build,
    }),
    command({
      name: 'query',
      summary: 'find the tools that a request needs',
      description: 'Finds the tools of a catalogue that a request in words may need, best first.',
      settings: queryToolsSettings,
      examples: ['flow tools query shop.tools "where is my parcel" --top 3'],
      load: async () => (await import('./commands/tools/query.ts')).query,
    }),
    command({
      name: 'train',
      summary: 'train a small retriever on a catalogue',
      description:
        'Learns the documents of a catalogue by heart, then which tools requests need; without --queries from requests made of the documentation. Runs on the CPU.',
      settings: trainToolsSettings,
      examples: ['flow tools train shop.tools --queries asked.jsonl --out shop.model'],
      load: async () => (await import('./commands/tools/train.ts')).train,
    }),
    command({
      name: 'serve',
      summary: 'answer for the APIs of a catalogue, as StableToolBench does',
      description:
        'A virtual API server on this machine: POST /virtual {category, tool_name, api_name, tool_input, strip, toolbench_key} gives {error, response}, from what was recorded first, from a simulator else. Runs until it is interrupted.',
      settings: serveToolsSettings,
      examples: ['flow tools serve apis.jsonl --recorded recorded.jsonl --port 8080'],
      load: async () => (await import('./commands/tools/serve.ts')).serve,
    }),
    command({
      name: 'info',
      summary: 'what a catalogue holds, or all of one tool',
      description:
        'Tells how many tools a catalogue holds and whose they are; with a name, everything about that tool.',
      settings: toolsInfoSettings,
      examples: ['flow tools info shop.tools', 'flow tools info shop.tools get_order'],
      load: async () => (await import('./commands/tools/info.ts')).info,
    }),
  ],
});
