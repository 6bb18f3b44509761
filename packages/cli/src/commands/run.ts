import {
  type Diagnostic,
  diagnosticJson,
  formatDiagnostics,
  type OpenedFlow,
  openFlow,
  type RunnableFlow,
  type Values,
} from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { compose } from '../compose.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, textOf, variantOf } from '../option-values.ts';
import { errorResult, printResult, unrunResult } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { findFlow } from './locate.ts';
import { missingInputs, readInputs, unknownInputs } from './read-inputs.ts';
import { runOneNode } from './run-node.ts';
import { runOneRow } from './run-row.ts';

/** `flow run`: one row of a flow, or one node of it. */
export async function run(call: CommandCall): Promise<number> {
  if (call.options['json'] !== true) return await openAndRun(call);
  try {
    return await openAndRun(call);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    call.io.stdout.write(printResult(unrunResult(errorResult(error, undefined))));
    return error.exitCode;
  }
}

async function openAndRun(call: CommandCall): Promise<number> {
  const { io, options } = call;
  const found = findFlow(call.arguments[0], io);
  const given = await readInputs({ file: textOf(options, 'inputs'), pairs: listOf(options, 'input') }, io);
  const node = textOf(options, 'node');
  const composed = compose(io, found.folder, textOf(options, 'connections'));
  const variant = variantOf(options);
  const opened = await openFlow(found, {
    ...composed,
    shownFrom: io.folder,
    ...(variant === undefined ? {} : { variant }),
    ...(node === undefined ? {} : { only: new Set([node]) }),
  });
  if (opened.flow === undefined) return refuse(opened, call);
  await using flow = opened.flow;
  tellDiagnostics(opened.diagnostics, call);
  if (node !== undefined) return await runOneNode(flow, found, node, given, call);
  const inputs = { ...given.fromFile, ...given.fromPairs };
  checkInputs(flow, inputs, call);
  return await runOneRow(flow, found, inputs, call);
}

function refuse({ diagnostics, loadError }: OpenedFlow, call: CommandCall): number {
  if (call.options['json'] === true) {
    call.io.stdout.write(refusedJson(diagnostics, loadError));
    return exitCode.wrong;
  }
  tellDiagnostics(diagnostics, call);
  if (loadError !== undefined) {
    const where = loadError.node === undefined ? '' : ` at node ${loadError.node}`;
    throw new CommandFailure(`the flow cannot be made ready${where}: ${(loadError.cause ?? loadError).message}`, {
      help: (loadError.trace ?? []).map((line) => `  at ${line}`).join('\n') || undefined,
    });
  }
  call.io.stderr.write('Nothing ran: mend what is listed, or see flow help check.\n');
  return exitCode.wrong;
}

/** Prompt flow's own error class and message where a mistake has one, so that other tools read what they know. */
function refusedJson(diagnostics: readonly Diagnostic[], loadError: OpenedFlow['loadError']): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors.find(({ promptFlow }) => promptFlow !== undefined) ?? errors[0];
  const error = loadError ?? first?.promptFlow ?? first ?? { code: 'FlowNotReady', message: 'the flow cannot run' };
  const node = 'node' in error ? error.node : undefined;
  return printResult({
    ...unrunResult(errorResult(error, node)),
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnosticJson(diagnostic) })) as unknown as readonly Values[],
  });
}

function tellDiagnostics(diagnostics: readonly Diagnostic[], { io, options }: CommandCall): void {
  if (diagnostics.length === 0 || options['json'] === true) return;
  io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n\n`);
}

function checkInputs(flow: RunnableFlow, given: Values, { io, options }: CommandCall): void {
  const { inputs } = flow.plan;
  const style = createStyle(usesColor(io.stderr, io, options['color']));
  const known = inputs.map(({ name }) => name);
  for (const warning of unknownInputs(given, known)) io.stderr.write(`${style.warn('warning')}: ${warning}\n`);
  const missing = missingInputs(given, inputs);
  if (missing !== undefined) throw missing;
}
