import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { flowJsonSchema, makeFolder } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { evalJsonSchema, evaluators } from '@unroll/evals';
import { nodeTypes } from '@unroll/nodes';
import { outputNotWritable, requireEmptyFolder } from '@unroll/project';
import { promptFlow } from '@unroll/promptflow';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { InitSettings } from '../options/flow-options.ts';
import { packageRoot } from '../package-root.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import type { Language } from '../text/reader-language.ts';

/** `flow init`: copies a template, which runs as it is. */
export async function init(settings: InitSettings, io: Io): Promise<number> {
  const template = settings.template ?? 'agent';
  const shown = settings.folder ?? template;
  const folder = resolve(io.folder, shown);
  requireEmptyFolder(shown, io, 'Name a new folder: flow init FOLDER');
  const source = resolve(packageRoot, 'templates', template);
  const copies = templateFiles(source, settings.language ?? io.language);
  const copied = Object.keys(copies);
  const schemas = schemaTexts(copied);
  try {
    makeFolder(folder);
    for (const [name, path] of Object.entries(copies)) cpSync(path, resolve(folder, name));
    for (const [name, text] of Object.entries(schemas)) writeFileSync(resolve(folder, name), text);
  } catch (error) {
    throw outputNotWritable(shown, error);
  }
  const files = [...copied, ...Object.keys(schemas)].sort();
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ folder: shown, template, files }));
    return exitCode.done;
  }
  const typed = shellWord(shown);
  io.stdout.write(
    [
      `${shown}: ${titles[template] ?? basename(source)}`,
      ...files.map((file) => `  ${file}`),
      '',
      `next    flow run ${typed}`,
      `        flow check ${typed}`,
      `        flow graph ${typed}`,
      ...(files.includes('eval.yaml') ? [`        flow eval ${typed}`] : []),
      '',
    ].join('\n'),
  );
  return exitCode.done;
}

/** Paths of a template's files by the names they get. A file that is otherwise in Japanese lies beside the English one: `notes.ja.md`. */
function templateFiles(source: string, language: Language): Readonly<Record<string, string>> {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name));
  const isJapanese = (path: string): boolean => japaneseFile.test(basename(path));
  const ordered = [...files.filter((path) => !isJapanese(path)), ...files.filter(isJapanese)];
  const taken = language === 'ja' ? ordered : files.filter((path) => !isJapanese(path));
  return Object.fromEntries(
    taken.map((path) => [relative(source, resolve(path, '..', basename(path).replace(japaneseFile, '$1.'))), path]),
  );
}

const japaneseFile = /^([^.]+)\.ja\./;

/** They lie beside the flow and its evaluation, so that the first lines of these lead editors there wherever the folder goes. */
function schemaTexts(files: readonly string[]): Readonly<Record<string, string>> {
  const types = nodeTypes({ extensions: [promptFlow()] });
  const schemas: Record<string, object> = { 'flow.schema.json': flowJsonSchema([...types.values()]) };
  if (files.includes('eval.yaml')) schemas['eval.schema.json'] = evalJsonSchema(evaluators);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

const titles: Readonly<Record<string, string>> = {
  agent: 'an agent that searches before it answers',
  chat: 'a chat with its history',
  rag: 'answers from documents',
  python: 'Python nodes and a prompt',
  standard: 'a prompt, a model and a Python function',
  evaluation: 'grades for lines, metrics over all of them',
};
