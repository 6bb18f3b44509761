import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  createConnectionSettings,
  deleteConnectionSettings,
  importConnectionsSettings,
  listConnectionsSettings,
  rotateKeySettings,
  showConnectionSettings,
  testConnectionSettings,
  updateConnectionSettings,
} from './options/connection-options.ts';

export const connectionCommand: CommandSpec = commandGroup({
  name: 'connection',
  summary: 'keep connections: create, update, list, show, test, delete',
  description:
    'Connections kept on this machine, secrets encrypted. Flows find them by name, after those of connections.yaml (docs/connections.md).',
  examples: ['flow connection create --file azure.yaml --set api_key=@key.txt', 'flow connection test azure'],
  commands: [
    command({
      name: 'create',
      summary: 'keep a connection; one of the same name is replaced',
      description: 'Keeps a connection. Secrets that are missing, or held open by ****, are asked for.',
      settings: createConnectionSettings,
      examples: [
        'flow connection create --file azure.yaml',
        'flow connection create --file .env --name my_keys',
        'flow connection create --name gpu --set type=open_ai base_url=http://gpu:8000/v1 api_key=none',
      ],
      load: async () => (await import('./commands/connection/create.ts')).create,
    }),
    command({
      name: 'update',
      summary: 'change some values of a connection',
      description: 'Lays values over a connection that is kept. Secrets that are not named stay.',
      settings: updateConnectionSettings,
      examples: ['flow connection update azure --set api_base=https://other.openai.azure.com'],
      load: async () => (await import('./commands/connection/update.ts')).update,
    }),
    command({
      name: 'list',
      summary: 'all connections that can be had here, and where each stands',
      description: 'Lists kept connections, those of connections.yaml here, and those of the environment. Opens none.',
      settings: listConnectionsSettings,
      examples: ['flow connection list'],
      load: async () => (await import('./commands/connection/list.ts')).list,
    }),
    command({
      name: 'show',
      summary: 'one connection, without its secrets',
      description: 'Shows a connection. Secrets are shown as ******.',
      settings: showConnectionSettings,
      examples: ['flow connection show azure'],
      load: async () => (await import('./commands/connection/show.ts')).show,
    }),
    command({
      name: 'test',
      summary: 'ask the service something that costs nothing',
      description: 'Makes one cheap real call with the connection, and says what came of it.',
      settings: testConnectionSettings,
      examples: [
        'flow connection test azure',
        'flow connection test azure --model gpt-5',
        'flow connection test azure --model gpt-5 --api responses',
      ],
      load: async () => (await import('./commands/connection/test.ts')).test,
    }),
    command({
      name: 'delete',
      summary: 'delete a kept connection',
      description: 'Deletes a connection from its store.',
      settings: deleteConnectionSettings,
      examples: ['flow connection delete azure --yes'],
      load: async () => (await import('./commands/connection/delete.ts')).deleteConnection,
    }),
    command({
      name: 'import',
      summary: "take over Prompt flow's connections, all but their secrets",
      description:
        "Reads Prompt flow's store. Its secrets are encrypted with a key that only Prompt flow gets: they are asked for.",
      settings: importConnectionsSettings,
      examples: ['flow connection import'],
      load: async () => (await import('./commands/connection/import.ts')).importConnections,
    }),
    command({
      name: 'rotate-key',
      summary: 'encrypt all kept secrets with a new key',
      description: 'Makes a new key and encrypts the secrets of the stores here again.',
      settings: rotateKeySettings,
      examples: ['flow connection rotate-key'],
      load: async () => (await import('./commands/connection/rotate-key.ts')).rotate,
    }),
  ],
});
