import { findMachinePython, flowPython, setUpPython } from '@unroll/nodes';
import { findFlow, ProjectFailure, shownPath } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { SetUpPythonSettings } from '../../options/python-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { createStyle, usesColor } from '../../text/style.ts';

/** `flow python setup`: an environment of the flow's own with what its requirements.txt lists. */
export async function setup(settings: SetUpPythonSettings, io: Io): Promise<number> {
  const { folder } = findFlow(settings.flow, io);
  const own = flowPython(folder);
  const shown = shownPath(own.folder, io.folder);
  if (own.isReady && !settings.again) {
    if (settings.json) io.stdout.write(stringifyJsonLine({ environment: shown, made: false }));
    else io.stdout.write(`${shown} is ready (--again makes it again)\n`);
    return exitCode.done;
  }
  const python = findMachinePython(io.environment);
  if (!python.ok) {
    throw new ProjectFailure(`no Python was found: looked for ${python.tried.join(' and ')}`, {
      help: 'Install Python 3.9 or newer, or name it in UNROLL_PYTHON.',
    });
  }
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const result = await setUpPython(own, {
    python: python.command,
    flowFolder: folder,
    environment: io.environment,
    signal: io.interruption(),
    onLine: (line) => (settings.json ? io.stderr : io.stdout).write(`${style.dim(`  ${line}`)}\n`),
  });
  if (result.ok) {
    if (settings.json) {
      io.stdout.write(stringifyJsonLine({ environment: shown, made: true }));
      return exitCode.done;
    }
    const from = own.requirements === undefined ? '; the flow has no requirements.txt' : '';
    io.stdout.write(`${style.good('✓')} ${shown} is ready${from}\n`);
    return exitCode.done;
  }
  throw new ProjectFailure(result.message, { help: result.help, kind: 'failed' });
}
