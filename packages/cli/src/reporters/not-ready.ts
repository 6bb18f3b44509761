import { diagnosticJson, type JsonObject } from '@unroll/engine';
import type { FlowNotReady } from '@unroll/project';
import { commandLineError, promptFlowError } from '@unroll/promptflow';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { errorResult, stringifyResult, unrunResult } from '../runs/run-result.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';

/**
 * Tells why a flow cannot run.
 *
 * @returns the exit code
 * @throws the failure itself where it is not one of the flow's text, to be told as any other
 */
export function reportNotReady(
  failure: FlowNotReady,
  io: Io,
  { json = false, color }: { readonly json?: boolean; readonly color?: boolean } = {},
): number {
  if (json) {
    io.stdout.write(notReadyJson(failure));
    return exitCode.wrong;
  }
  const { diagnostics } = failure;
  if (diagnostics.length > 0) {
    io.stderr.write(`${diagnosticsText(diagnostics, styleOf(io.stderr, io, color))}\n\n`);
  }
  if (failure.isOfLoading) throw failure;
  io.stderr.write(`${io.words.failure('Nothing ran: fix what is listed, or see flow help check.')}\n`);
  return exitCode.wrong;
}

/** Prompt flow's own error class and message where a mistake has one, so that other tools read what they know. */
function notReadyJson({ diagnostics, loadError }: FlowNotReady): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors.flatMap((one) => promptFlowError(one) ?? []);
  const error = loadError ?? first ?? errors[0] ?? { code: 'FlowNotReady', message: 'the flow cannot run' };
  const node = 'node' in error ? error.node : undefined;
  return stringifyResult({
    ...unrunResult(errorResult(commandLineError(error), node)),
    diagnostics: diagnostics.map((diagnostic) => ({
      ...diagnosticJson(diagnostic),
    })) as unknown as readonly JsonObject[],
  });
}
