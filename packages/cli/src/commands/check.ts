import {
  diagnosticJson,
  formatDiagnostics,
  type JsonValue,
  sortDiagnostics,
  stringifyJson,
  toSarif,
} from '@unroll/engine';
import { checkFoundFlow, findFlow } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { packageVersion } from '../package-root.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow check`: all mistakes of a flow, with their places. */
export async function check({ arguments: given, options, io }: CommandCall): Promise<number> {
  const found = findFlow(given[0], io);
  const settings = { connectionsFile: textOf(options, 'connections'), variant: textOf(options, 'variant') };
  const { isRight, path, plan, diagnostics } = checkFoundFlow(found, settings, io);
  if (options['sarif'] === true)
    io.stdout.write(`${JSON.stringify(toSarif(diagnostics, packageVersion()), null, 2)}\n`);
  else if (options['json'] === true) {
    const report = {
      ok: isRight,
      flow: path,
      diagnostics: sortDiagnostics(diagnostics).map(diagnosticJson),
    };
    io.stdout.write(`${stringifyJson(report as unknown as JsonValue, 2)}\n`);
  } else {
    const isColored = usesColor(io.stdout, io, options['color']);
    if (diagnostics.length > 0) io.stdout.write(`${formatDiagnostics(diagnostics, { color: isColored })}\n`);
    const ready = plan?.nodes.length === 0 ? 'nothing to run yet' : 'ready to run';
    if (isRight && plan !== undefined)
      io.stdout.write(`${createStyle(isColored).good('✓')} ${path}: ${sizeText(plan)}, ${ready}\n`);
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
