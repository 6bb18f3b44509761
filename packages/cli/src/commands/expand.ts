import { type Diagnostic, stringifyJson } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { expandFlow, type FoundFlow, findFlow, writeOutputFile, writePromptFlow } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ExpandSettings } from '../options/flow-options.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';

/** `flow expand`: the flow with its loops laid out, as a text or as a folder for Prompt flow. */
export async function expand(settings: ExpandSettings, io: Io): Promise<number> {
  const found = findFlow(settings.flow, io);
  return settings.promptflow === undefined
    ? printExpanded(found, settings, io)
    : writeFolder(found, settings.promptflow, settings, io);
}

function printExpanded(found: FoundFlow, { out, connectionsFile, quiet, json }: ExpandSettings, io: Io): number {
  const expanded = expandFlow(found, connectionsFile, io);
  if (!expanded.ok) return refuse(expanded.diagnostics, io);
  const text = json ? `${stringifyJson(expanded.flow, 2)}\n` : expanded.text;
  if (out === undefined) io.stdout.data(text);
  else writeOutputFile(out, text, io);
  if (out !== undefined && !quiet) io.stderr.write(`${out} written\n`);
  return exitCode.done;
}

function writeFolder(found: FoundFlow, folder: string, settings: ExpandSettings, io: Io): number {
  const { connectionsFile, quiet, json } = settings;
  const written = writePromptFlow(found, { folder, connectionsFile }, io);
  if (!written.ok) return refuse(written.diagnostics, io);
  if (json) io.stdout.write(`${stringifyJson(writtenJson(folder, written), 2)}\n`);
  else io.stderr.write(`${quiet ? quietText(written) : writtenText(folder, written)}\n`);
  return exitCode.done;
}

function refuse(diagnostics: readonly Diagnostic[], io: Io): number {
  io.stderr.write(`${diagnosticsText(diagnostics, styleOf(io.stderr, io, undefined))}\n`);
  return exitCode.wrong;
}

interface Written {
  readonly columnMapping: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

function writtenJson(folder: string, { columnMapping, notes }: Written) {
  return { folder, column_mapping: columnMapping, notes };
}

/** Data reaches the inputs there only through a mapping of columns. */
function mappingText({ columnMapping }: Written): string {
  const columns = Object.entries(columnMapping).map(([name, column]) => ` ${name}='${column}'`);
  return columns.length === 0 ? 'the flow takes no inputs' : `--column-mapping${columns.join('')}`;
}

function quietText(written: Written): string {
  return [...notesOf(written), mappingText(written)].join('\n');
}

function notesOf({ notes }: Written): readonly string[] {
  return notes.map((note) => `note: ${note}`);
}

/** With the commands that run it there. */
function writtenText(folder: string, written: Written): string {
  const mapping = Object.keys(written.columnMapping).length === 0 ? '' : ` ${mappingText(written)}`;
  return [
    `${folder} written`,
    ...notesOf(written),
    `next    pip install promptflow promptflow-tools`,
    `        pf flow test --flow ${shellWord(folder)}`,
    `        pf run create --flow ${shellWord(folder)} --data DATA.jsonl${mapping}`,
  ].join('\n');
}
