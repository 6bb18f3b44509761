import type { SettingsOf } from '../command-spec.ts';
import { color, json } from './common-options.ts';
import { choice, flag, optionalArgument, text, texts } from './option-kinds.ts';

const name = text('-n, --name <name>', 'name of the connection');
const set = texts(
  '--set <key=value...>',
  'values laid over the file: api_base=…, secrets.key=…; key=@file reads a file',
);
const file = text('-f, --file <file>', 'a YAML file of a connection, or a .env file of secrets');
const project = flag('--project', 'in .flow/connections of the current folder, not of your home');
const connectionsFile = text('--connections <file>', 'look in this connections file first');

/** Commands of one connection each take its name as an argument, or with `--name` as Prompt flow's do. */
const one = { connection: optionalArgument('[name]', 'the connection'), name };

export const createConnectionSettings = { file, name, set, project, json };
export const updateConnectionSettings = { ...one, file, set, project, json };
export const listConnectionsSettings = { connectionsFile, json, color };
export const showConnectionSettings = { ...one, connectionsFile, project, json };
export const testConnectionSettings = {
  ...one,
  model: text(
    '--model <name>',
    'also ask this model, at Azure its deployment, what it can do: tools, JSON schema, streaming',
  ),
  api: choice('--api <api>', 'with --model: which API it is asked through (default: chat)', ['chat', 'responses']),
  connectionsFile,
  json,
  color,
};
export const deleteConnectionSettings = { ...one, yes: flag('-y, --yes', 'do not ask'), project, json };
export const importConnectionsSettings = {
  from: text('--from <file>', 'its store (default: ~/.promptflow/pf.sqlite)'),
  project,
  json,
};
export const rotateKeySettings = {
  forgetOld: flag('--forget-old', 'drop older keys; other projects may need them'),
  json,
};

export type OneConnection = SettingsOf<typeof one>;
export type CreateConnectionSettings = SettingsOf<typeof createConnectionSettings>;
export type UpdateConnectionSettings = SettingsOf<typeof updateConnectionSettings>;
export type ListConnectionsSettings = SettingsOf<typeof listConnectionsSettings>;
export type ShowConnectionSettings = SettingsOf<typeof showConnectionSettings>;
export type TestConnectionSettings = SettingsOf<typeof testConnectionSettings>;
export type DeleteConnectionSettings = SettingsOf<typeof deleteConnectionSettings>;
export type ImportConnectionsSettings = SettingsOf<typeof importConnectionsSettings>;
export type RotateKeySettings = SettingsOf<typeof rotateKeySettings>;
