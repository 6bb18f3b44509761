import { type Diagnostic, type FlowSpec, formatDiagnostics } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { expandFlow, findFlow, writeOutputFile, writePromptFlow } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ExpandSettings } from '../options/flow-options.ts';
import { usesColor } from '../text/style.ts';

/** `flow expand`: the flow with its loops laid out, as a text or as a folder for Prompt flow. */
export async function expand(settings: ExpandSettings, io: Io): Promise<number> {
  const found = findFlow(settings.flow, io);
  const { out, promptflow: folder, connectionsFile } = settings;
  if (folder !== undefined) {
    const written = writePromptFlow(found, { folder, connectionsFile }, io);
    if (!written.ok) return refuse(written.diagnostics, io);
    io.stderr.write(`${writtenText(folder, written)}\n`);
    return exitCode.done;
  }
  const expanded = expandFlow(found, connectionsFile, io);
  if (!expanded.ok) return refuse(expanded.diagnostics, io);
  if (out === undefined) io.stdout.data(expanded.text);
  else {
    writeOutputFile(out, expanded.text, io);
    io.stderr.write(`${out} written\n`);
  }
  return exitCode.done;
}

function refuse(diagnostics: readonly Diagnostic[], io: Io): number {
  io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, undefined) })}\n`);
  return exitCode.wrong;
}

/** With the commands that run it there: data reaches its inputs only through a mapping of columns. */
function writtenText(
  folder: string,
  { spec, notes }: { readonly spec: FlowSpec; readonly notes: readonly string[] },
): string {
  const mapping = spec.inputs.map(({ name }) => ` ${name}='\${data.${name}}'`).join('');
  return [
    `${folder} written`,
    ...notes.map((note) => `note: ${note}`),
    `next    pip install promptflow promptflow-tools`,
    `        pf flow test --flow ${shellWord(folder)}`,
    `        pf run create --flow ${shellWord(folder)} --data DATA.jsonl${mapping === '' ? '' : ` --column-mapping${mapping}`}`,
  ].join('\n');
}
