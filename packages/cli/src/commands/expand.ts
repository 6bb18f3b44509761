import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkFlow, flowFilesOf, formatDiagnostics, preventsRun, readSourceFile, stringifyFlow } from '@unroll/engine';
import { compose, findFlow } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ExpandSettings } from '../options/flow-options.ts';
import { usesColor } from '../text/style.ts';

/** `flow expand`: the flow with its loops laid out, as a plain flow.dag.yaml. */
export async function expand(settings: ExpandSettings, io: Io): Promise<number> {
  const found = findFlow(settings.flow, io);
  const files = flowFilesOf(found, io.folder).files;
  const { spec, diagnostics } = checkFlow(readSourceFile(found.file, io.folder), {
    ...compose(io, found.folder),
    files,
  });
  const preventing = diagnostics.filter(preventsRun);
  if (spec === undefined || preventing.length > 0) {
    io.stderr.write(`${formatDiagnostics(preventing, { color: usesColor(io.stderr, io, undefined) })}\n`);
    return exitCode.wrong;
  }
  const text = stringifyFlow(spec);
  const out = settings.out;
  if (out === undefined) io.stdout.data(text);
  else {
    writeFileSync(resolve(io.folder, out), text);
    io.stderr.write(`${out} written\n`);
  }
  return exitCode.done;
}
