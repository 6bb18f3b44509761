import {
  type Diagnostic,
  diagnosticJson,
  type JsonValue,
  sortDiagnostics,
  stringifyJson,
  toSarif,
} from '@unroll/engine';
import { projectOn } from '@unroll/project';
import { readEnvironment } from '../bulk/read-environment.ts';
import { exitCode } from '../exit-code.ts';
import { readConnections } from '../inputs/read-connections.ts';
import type { Io } from '../io.ts';
import type { CheckSettings } from '../options/flow-options.ts';
import { packageVersion } from '../package-root.ts';
import { hostOf } from '../project-host.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';

/** `flow check`: all mistakes of a flow, with their places. */
export async function check(settings: CheckSettings, io: Io): Promise<number> {
  const { variant, env, environmentVariables } = settings;
  const host = hostOf(settings, io);
  const environment = readEnvironment([...environmentVariables, ...env], host);
  const asked = { variant, environment, ...readConnections(settings.connections) };
  const { isRight, path, plan, diagnostics } = await projectOn(host).check(settings.flow, asked);
  if (settings.sarif) io.stdout.write(`${JSON.stringify(toSarif(diagnostics, packageVersion()), null, 2)}\n`);
  else if (settings.json) {
    const report = {
      ok: isRight,
      flow: path,
      diagnostics: sortDiagnostics(diagnostics).map(diagnosticJson),
    };
    io.stdout.write(`${stringifyJson(report as unknown as JsonValue, 2)}\n`);
  } else {
    const style = styleOf(io.stdout, io, settings.color);
    if (diagnostics.length > 0) io.stdout.write(`${diagnosticsText(diagnostics, style)}\n`);
    if (isRight && plan !== undefined)
      io.stdout.write(`${style.good('✓')} ${path}: ${sizeText(plan)}, ${readyText(plan, diagnostics)}\n`);
  }
  return isRight ? exitCode.done : exitCode.wrong;
}

/** What cannot be made without more fails, and so does a file that is loaded without a variable it asks for; a default that cannot be taken fails each row that does not give the input. */
function readyText(plan: { readonly nodes: readonly unknown[] }, diagnostics: readonly Diagnostic[]): string {
  if (plan.nodes.length === 0) return 'nothing to run yet';
  const isReported = (wanted: string): boolean => diagnostics.some(({ code }) => code === wanted);
  if (isReported('FLEX_ARGUMENT')) return 'runs with --init, which gives what the class takes';
  if (isReported('IMPORT_MISSING')) return 'runs as far as the modules that are not found are not needed';
  if (isReported('CODE_VARIABLE')) return 'runs where the variables that are not set are given';
  return isReported('INPUT_DEFAULT_TYPE') ? 'runs on rows that give what has no usable default' : 'ready to run';
}

function sizeText(plan: {
  readonly nodes: readonly unknown[];
  readonly loops: readonly { readonly name: string }[];
}): string {
  const nodes = `${plan.nodes.length} ${plan.nodes.length === 1 ? 'node' : 'nodes'}`;
  if (plan.loops.length === 0) return nodes;
  return `${nodes} (${plan.loops.length === 1 ? 'a loop' : `${plan.loops.length} loops`} unrolled)`;
}
