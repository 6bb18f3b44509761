import type { SettingsOf } from '../command-spec.ts';
import { languages } from '../text/reader-language.ts';
import { color, connections, connectionsFile, flow, json, otlp, runsDir, runsEngine } from './common-options.ts';
import {
  choice,
  chosenArgument,
  flag,
  flagOff,
  flagOrText,
  optionalArgument,
  restOfArguments,
  text,
  texts,
  wholeNumber,
} from './option-kinds.ts';

/** Settings of the commands that are given a flow, but for `flow run` and `flow plan`. */
export const chatSettings = {
  flow,
  inputs: text('--inputs <file>', 'other inputs of the flow from a JSON file'),
  input: texts('-i, --input <name=value>', 'one other input; again for each'),
  variant: text('--variant <node.variant>', "one node's variant, for instance ask.variant_1"),
  env: texts('--env <name=value...>', 'environment variables of the nodes, or .env files'),
  init: texts('--init <name=value...>', 'arguments of the class that is the flow, or a JSON file of them'),
  connectionsFile,
  json: flag('--json', 'print one JSON object a turn'),
  otlp,
  runsDir,
  color,
};

export const checkSettings = {
  flow,
  json: flag('--json', 'print diagnostics as JSON'),
  sarif: flag('--sarif', 'print diagnostics as SARIF 2.1.0, for code-review tools'),
  variant: text('--variant <node.variant>', 'check with this variant'),
  env: texts('--env <name=value...>', 'environment variables of the nodes, or .env files'),
  environmentVariables: texts('--environment-variables <name=value...>', 'the same, by its name in Prompt flow'),
  connections,
  color,
};

export const expandSettings = {
  flow,
  out: text('-o, --out <file>', 'write there instead of printing'),
  promptflow: text('--promptflow <folder>', 'write a folder there that Prompt flow itself runs'),
  connectionsFile,
  quiet: flag(
    '--quiet',
    'with --promptflow: tell only what is otherwise there, and how columns of data reach its inputs',
  ),
  json: flag('--json', 'print the flow as JSON; with --promptflow what was written'),
};

export const graphSettings = {
  flow,
  svg: flagOrText('--svg [file]', 'an SVG picture instead of Mermaid text'),
  json: flag('--json', 'boxes, arrows and groups as JSON instead of Mermaid text'),
  unfolded: flag('--unfolded', 'show every iteration of a loop'),
  run: text('--run <run>', 'colour nodes by what became of them in a run; "latest" for the newest'),
  row: wholeNumber('--row <n>', 'with --run: the row, from 0', 0),
  direction: choice('--direction <way>', 'where the flow runs to (default: down)', ['down', 'right']),
  out: text('-o, --out <file>', 'write there instead of printing; an SVG picture where it ends in .svg'),
  engine: runsEngine,
  runsDir,
};

export const typesSettings = {
  flow,
  output: text('-o, --output <file>', 'write there instead of printing; - prints'),
  variant: text('--variant <node.variant>', "one node's variant"),
  json: flag('--json', 'print JSON schemas of inputs and outputs instead'),
  connectionsFile,
  color,
};

export const renderSettings = {
  template: optionalArgument('[template]', 'a template file'),
  vars: text('--vars <file>', 'variables, a JSON file'),
  var: texts('-v, --var <name=value>', 'one variable, a text; again for each'),
  chat: flag('--chat', 'print the chat messages'),
  json: flag('--json', 'print the text, or with --chat the messages, as JSON'),
  trimBlocks: flagOff('--no-trim-blocks', 'keep the newline after a block tag'),
  lstripBlocks: flag('--lstrip-blocks', 'drop blanks before a block tag'),
  keepTrailingNewline: flagOff('--no-keep-trailing-newline', 'drop a newline at the very end'),
  strict: flag('--strict', 'an undefined variable is an error'),
  batch: text('--batch <file>', 'render each line {src, data, opts} of a JSONL file'),
};

export const initSettings = {
  folder: optionalArgument('[folder]', 'where (default: a folder named after the template)'),
  template: choice('-t, --template <name>', 'what to start from (default: agent)', [
    'agent',
    'chat',
    'rag',
    'python',
    'standard',
    'evaluation',
  ]),
  language: choice('--language <language>', 'of its texts (default: that of LANG)', languages),
  json,
};

export const completionSettings = {
  shell: chosenArgument('<shell>', 'bash, zsh, fish or powershell', ['bash', 'zsh', 'fish', 'powershell'], 'complete'),
  words: restOfArguments('[words...]', 'what stands on the line: asked by the script with "complete --"'),
};

export const versionSettings = { json };

export type VersionSettings = SettingsOf<typeof versionSettings>;
export type ChatSettings = SettingsOf<typeof chatSettings>;
export type CheckSettings = SettingsOf<typeof checkSettings>;
export type ExpandSettings = SettingsOf<typeof expandSettings>;
export type GraphSettings = SettingsOf<typeof graphSettings>;
export type RenderSettings = SettingsOf<typeof renderSettings>;
export type InitSettings = SettingsOf<typeof initSettings>;
export type TypesSettings = SettingsOf<typeof typesSettings>;
