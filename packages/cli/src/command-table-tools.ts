import type { CommandSpec } from './command-spec.ts';
import { noColor } from './command-table-options.ts';

const catalogue = { name: '<catalogue>', about: 'a .tools file, or a file that describes tools' };

export const toolsCommand: CommandSpec = {
  name: 'tools',
  summary: 'catalogues of tools: build one, look tools up in it',
  description:
    'Makes one catalogue of the tools that files describe, and finds in it those that a request needs (docs/guide/tools.md).',
  arguments: [],
  options: [],
  examples: ['flow tools build api.yaml --out shop.tools', 'flow tools query shop.tools "cancel my order"'],
  commands: [
    {
      name: 'build',
      summary: 'make a catalogue of the tools that files describe',
      description:
        'Reads tools from OpenAPI documents (YAML, JSON), lists of tools as OpenAI takes them, answers of MCP servers to tools/list, and JSONL; gives each a name that models may be told; writes a .tools file.',
      arguments: [{ name: '[file...]', about: 'files that describe tools' }],
      options: [
        {
          flags: '--mcp <name=server>',
          about: 'a running MCP server: its address, or the command that starts it; again for each',
          isRepeatable: true,
        },
        { flags: '-o, --out <file>', about: 'the catalogue to write, for instance shop.tools' },
        { flags: '--allow-mistakes', about: 'leave out what cannot be read, and write the rest' },
        { flags: '--json', about: 'print one JSON object' },
        { flags: '--quiet', about: 'no progress' },
        noColor,
      ],
      examples: [
        'flow tools build api.yaml tools.jsonl --out shop.tools',
        'flow tools build --mcp "docs=npx -y my-docs-server" --out docs.tools',
      ],
      load: async () => (await import('./commands/tools/build.ts')).build,
    },
    {
      name: 'query',
      summary: 'find the tools that a request needs',
      description: 'Finds the tools of a catalogue that a request in words may need, best first.',
      arguments: [catalogue, { name: '<query>', about: 'the request, in words' }],
      options: [
        { flags: '-k, --top <n>', about: 'how many at most (default: 5)' },
        { flags: '--ranking <way>', about: 'features (default) or bm25f', choices: ['features', 'bm25f'] },
        { flags: '--retriever <file>', about: 'what flow tools train wrote, in place of the ranking' },
        { flags: '--json', about: 'print JSON' },
        noColor,
      ],
      examples: ['flow tools query shop.tools "where is my parcel" --top 3'],
      load: async () => (await import('./commands/tools/query.ts')).query,
    },
    {
      name: 'train',
      summary: 'train a small retriever on a catalogue',
      description:
        'Learns the documents of a catalogue by heart, then which tools requests need; without --queries from requests made of the documentation. Runs on the CPU.',
      arguments: [catalogue],
      options: [
        { flags: '-o, --out <file>', about: 'the retriever to write, for instance shop.model' },
        { flags: '--queries <file>', about: 'JSONL: {query, relevant: [names of tools]}' },
        { flags: '--made <n>', about: 'without --queries: so many made requests (default: 3000; 0 for none)' },
        { flags: '--quiet', about: 'no progress' },
        noColor,
      ],
      examples: ['flow tools train shop.tools --queries asked.jsonl --out shop.model'],
      load: async () => (await import('./commands/tools/train.ts')).train,
    },
    {
      name: 'serve',
      summary: 'answer for the APIs of a catalogue, as StableToolBench does',
      description:
        'A virtual API server on this machine: POST /virtual {category, tool_name, api_name, tool_input, strip, toolbench_key} gives {error, response}, from what was recorded first, from a simulator else. Runs until it is interrupted.',
      arguments: [catalogue],
      options: [
        { flags: '--recorded <file>', about: 'JSONL of recorded answers; what is simulated is written there too' },
        {
          flags: '--simulator <flow>',
          about: 'a flow that answers what was not recorded: its inputs are request and documentation',
        },
        {
          flags: '--connections <file or node.key=value...>',
          about: 'connections of the simulator: their file, or one for a node; again for each',
          isRepeatable: true,
        },
        { flags: '--port <n>', about: 'where to listen (default: 8080; 0 for any)' },
        noColor,
      ],
      examples: ['flow tools serve apis.jsonl --recorded recorded.jsonl --port 8080'],
      load: async () => (await import('./commands/tools/serve.ts')).serve,
    },
    {
      name: 'info',
      summary: 'what a catalogue holds, or all of one tool',
      description:
        'Tells how many tools a catalogue holds and whose they are; with a name, everything about that tool.',
      arguments: [catalogue, { name: '[tool]', about: 'the name of a tool' }],
      options: [{ flags: '--json', about: 'print JSON' }, noColor],
      examples: ['flow tools info shop.tools', 'flow tools info shop.tools get_order'],
      load: async () => (await import('./commands/tools/info.ts')).info,
    },
  ],
};
