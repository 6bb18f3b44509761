import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { noColor } from './command-table-options.ts';

const name = { flags: '-n, --name <name>', about: 'name of the connection' };
const set = {
  flags: '--set <key=value...>',
  about: 'values laid over the file: api_base=…, secrets.key=…; key=@file reads a file',
  isRepeatable: true,
};
const file = { flags: '-f, --file <file>', about: 'a YAML file of a connection, or a .env file of secrets' };
const project = { flags: '--project', about: 'in .flow/connections of the current folder, not of your home' };
const json = { flags: '--json', about: 'print JSON' };
const connections = { flags: '--connections <file>', about: 'look in this connections file first' };
const named = { name: '[name]', about: 'the connection' };

/** Commands of one connection each take its name as an argument, or with `--name` as Prompt flow's do. */
function ofOne(spec: Omit<CommandSpec, 'arguments'> & { readonly options: readonly OptionSpec[] }): CommandSpec {
  return { ...spec, arguments: [named], options: [name, ...spec.options] };
}

export const connectionCommand: CommandSpec = {
  name: 'connection',
  summary: 'keep connections: create, update, list, show, test, delete',
  description:
    'Connections kept on this machine, secrets encrypted. Flows find them by name, after those of connections.yaml (docs/connections.md).',
  arguments: [],
  options: [],
  examples: ['flow connection create --file azure.yaml --set api_key=@key.txt', 'flow connection test azure'],
  commands: [
    {
      name: 'create',
      summary: 'keep a connection; one of the same name is replaced',
      description: 'Keeps a connection. Secrets that are missing, or held open by ****, are asked for.',
      arguments: [],
      options: [file, name, set, project],
      examples: [
        'flow connection create --file azure.yaml',
        'flow connection create --file .env --name my_keys',
        'flow connection create --name local --set type=open_ai base_url=http://localhost:8000/v1 api_key=none',
      ],
      load: async () => (await import('./commands/connection/create.ts')).create,
    },
    ofOne({
      name: 'update',
      summary: 'change some values of a connection',
      description: 'Lays values over a connection that is kept. Secrets that are not named stay.',
      options: [file, set, project],
      examples: ['flow connection update azure --set api_base=https://other.openai.azure.com'],
      load: async () => (await import('./commands/connection/update.ts')).update,
    }),
    {
      name: 'list',
      summary: 'all connections that can be had here, and where each stands',
      description: 'Lists kept connections, those of connections.yaml here, and those of the environment. Opens none.',
      arguments: [],
      options: [connections, json, noColor],
      examples: ['flow connection list'],
      load: async () => (await import('./commands/connection/list.ts')).list,
    },
    ofOne({
      name: 'show',
      summary: 'one connection, without its secrets',
      description: 'Shows a connection. Secrets are shown as ******.',
      options: [connections, project, json],
      examples: ['flow connection show azure'],
      load: async () => (await import('./commands/connection/show.ts')).show,
    }),
    ofOne({
      name: 'test',
      summary: 'ask the service something that costs nothing',
      description: 'Makes one cheap real call with the connection, and says what came of it.',
      options: [connections, json, noColor],
      examples: ['flow connection test azure'],
      load: async () => (await import('./commands/connection/test.ts')).test,
    }),
    ofOne({
      name: 'delete',
      summary: 'delete a kept connection',
      description: 'Deletes a connection from its store.',
      options: [{ flags: '-y, --yes', about: 'do not ask' }, project],
      examples: ['flow connection delete azure --yes'],
      load: async () => (await import('./commands/connection/delete.ts')).deleteConnection,
    }),
    {
      name: 'import',
      summary: "take over Prompt flow's connections, all but their secrets",
      description:
        "Reads Prompt flow's store. Its secrets are encrypted with a key that only Prompt flow gets: they are asked for.",
      arguments: [],
      options: [{ flags: '--from <file>', about: 'its store (default: ~/.promptflow/pf.sqlite)' }, project],
      examples: ['flow connection import'],
      load: async () => (await import('./commands/connection/import.ts')).importConnections,
    },
    {
      name: 'rotate-key',
      summary: 'encrypt all kept secrets with a new key',
      description: 'Makes a new key and encrypts the secrets of the stores here anew.',
      arguments: [],
      options: [{ flags: '--forget-old', about: 'drop older keys; other projects may need them' }],
      examples: ['flow connection rotate-key'],
      load: async () => (await import('./commands/connection/rotate-key.ts')).rotate,
    },
  ],
};
