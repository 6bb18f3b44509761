import {
  checkFlow,
  diagnosticJson,
  flowFilesOf,
  formatDiagnostics,
  printJson,
  readSourceFile,
  sortDiagnostics,
  toSarif,
  type Value,
} from '@unroll/engine';
import { compose, findFlow } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf, variantOf } from '../option-values.ts';
import { packageVersion } from '../package-root.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow check`: all mistakes of a flow, with their places. */
export async function check({ arguments: given, options, io }: CommandCall): Promise<number> {
  const found = findFlow(given[0], io);
  const composed = compose(io, found.folder, textOf(options, 'connections'));
  const variant = variantOf(options);
  const file = readSourceFile(found.file, io.folder);
  const { files, includes } = flowFilesOf(found, io.folder);
  const checked = checkFlow(file, { ...composed, files, ...(variant === undefined ? {} : { variant }) });
  const { plan } = checked;
  const diagnostics = [...includes.diagnostics, ...checked.diagnostics];
  const isRight = plan !== undefined && diagnostics.every(({ severity }) => severity === 'warning');
  if (options['sarif'] === true)
    io.stdout.write(`${JSON.stringify(toSarif(diagnostics, packageVersion()), null, 2)}\n`);
  else if (options['json'] === true) {
    const report = {
      ok: isRight,
      flow: file.path,
      diagnostics: sortDiagnostics(diagnostics).map(diagnosticJson),
    };
    io.stdout.write(`${printJson(report as unknown as Value, 2)}\n`);
  } else {
    const isColored = usesColor(io.stdout, io, options['color']);
    if (diagnostics.length > 0) io.stdout.write(`${formatDiagnostics(diagnostics, { color: isColored })}\n`);
    const ready = plan?.nodes.length === 0 ? 'nothing to run yet' : 'ready to run';
    if (isRight) io.stdout.write(`${createStyle(isColored).good('✓')} ${file.path}: ${sizeText(plan)}, ${ready}\n`);
  }
  return isRight ? exitCode.done : exitCode.wrong;
}

function sizeText(plan: {
  readonly nodes: readonly unknown[];
  readonly loops: readonly { readonly name: string }[];
}): string {
  const nodes = `${plan.nodes.length} ${plan.nodes.length === 1 ? 'node' : 'nodes'}`;
  if (plan.loops.length === 0) return nodes;
  return `${nodes} (${plan.loops.length === 1 ? 'a loop' : `${plan.loops.length} loops`} unrolled)`;
}
