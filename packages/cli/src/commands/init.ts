import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { flowJsonSchema, makeFolder } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { outputNotWritable, requireEmptyFolder } from '@unroll/project';
import { promptFlow } from '@unroll/promptflow';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { InitSettings } from '../options/flow-options.ts';
import { packageRoot } from '../package-root.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';

/** `flow init`: copies a template, which runs as it is. */
export async function init(settings: InitSettings, io: Io): Promise<number> {
  const template = settings.template ?? 'agent';
  const shown = settings.folder ?? template;
  const folder = resolve(io.folder, shown);
  requireEmptyFolder(shown, io, 'Name a new folder: flow init FOLDER');
  const source = resolve(packageRoot, 'templates', template);
  const schema = flowSchemaText();
  try {
    makeFolder(folder);
    cpSync(source, folder, { recursive: true });
    writeFileSync(resolve(folder, schemaFile), schema);
  } catch (error) {
    throw outputNotWritable(shown, error);
  }
  const copied = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name).slice(source.length + 1));
  const files = [...copied, schemaFile].sort();
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ folder: shown, template, files }));
    return exitCode.done;
  }
  io.stdout.write(
    [
      `${shown}: ${titles[template] ?? basename(source)}`,
      ...files.map((file) => `  ${file}`),
      '',
      `next    flow run ${shown}`,
      `        flow check ${shown}`,
      `        flow graph ${shown}`,
      ...(files.includes('eval.yaml') ? [`        flow eval ${shown}`] : []),
      '',
    ].join('\n'),
  );
  return exitCode.done;
}

/** Lies beside the flow, so that the first line of it leads editors there wherever the folder goes. */
const schemaFile = 'flow.schema.json';

function flowSchemaText(): string {
  const types = nodeTypes({ extensions: [promptFlow()] });
  return `${JSON.stringify(flowJsonSchema([...types.values()]), null, 2)}\n`;
}

const titles: Readonly<Record<string, string>> = {
  agent: 'an agent that searches before it answers',
  chat: 'a chat with its history',
  rag: 'answers from documents',
  python: 'Python nodes and a prompt',
  standard: 'a prompt, a model and a Python function',
  evaluation: 'grades for lines, metrics over all of them',
};
