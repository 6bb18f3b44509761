import type { SettingsOf } from '../command-spec.ts';
import { color, connectionsFile, json } from './common-options.ts';
import { flag, flagOff, oneOf, optionalArgument, text } from './option-kinds.ts';

/** Settings of `flow build`. */
export const buildSettings = {
  flow: optionalArgument('[flow]', 'a flow: its folder, or its flow.dag.yaml'),
  source: text('--source <flow>', 'the flow, by its name in Prompt flow'),
  output: text('-o, --output <folder>', 'folder to write'),
  format: oneOf('--format <name>', 'docker: taken, since every folder can be made an image', ['docker']),
  force: flag('--force', 'write into a folder that is not empty'),
  packages: text('--packages <folder>', 'packed packages of flow to take along, where no registry has them'),
  lock: flagOff('--no-lock', 'ask npm for no package-lock.json'),
  json,
  connectionsFile,
  color,
};

export type BuildSettings = SettingsOf<typeof buildSettings>;
