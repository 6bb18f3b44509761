import { cutText } from '@unroll/engine';
import { setUpFlowPython } from '@unroll/project/flow-python';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { SetUpPythonSettings } from '../../options/python-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { styleOf } from '../../text/style.ts';

/** Characters of a line of pip's: it names all packages in one. */
const longestLine = 160;

/** `flow python setup`: an environment of the flow's own with what its requirements.txt lists. */
export async function setup({ flow, again, json, color }: SetUpPythonSettings, io: Io): Promise<number> {
  const style = styleOf(io.stdout, io, color);
  const lines = json ? io.stderr : io.stdout;
  const onLine = (line: string): void => lines.write(`${style.dim(`  ${cutText(line, longestLine)}`)}\n`);
  const onWarning = (text: string): void => {
    io.stderr.write(`${style.warn('warning:')} ${text}\n`);
  };
  const { environment, isMade, hasRequirements } = await setUpFlowPython(
    flow,
    { again, signal: io.interruption(), onLine, onWarning },
    io,
  );
  if (json) io.stdout.write(stringifyJsonLine({ environment, made: isMade }));
  else if (!isMade) io.stdout.write(`${environment} is ready (--again makes it again)\n`);
  else {
    const from = hasRequirements ? '' : '; the flow has no requirements.txt';
    io.stdout.write(`${style.good('✓')} ${environment} is ready${from}\n`);
  }
  return exitCode.done;
}
