import { flowPython } from '@unroll/nodes';
import type { Io } from '../../io.ts';
import { shownPath } from '../../text/shown-path.ts';

/** What to do where `message` says that Python has no module of some name; undefined for any other message. */
export function missingModuleHelp(message: string, folder: string, io: Io): string | undefined {
  const [, name] = /No module named '([^']+)'/.exec(message) ?? [];
  if (name === undefined) return undefined;
  const { requirements, isReady } = flowPython(folder);
  const setUp = `flow python setup ${shownPath(folder, io.folder)}`;
  if (requirements !== undefined && !isReady) return `${setUp} installs what requirements.txt lists.`;
  const list =
    requirements === undefined ? 'List its package in a requirements.txt' : 'Add its package to requirements.txt';
  return `${list} and run ${setUp}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python.`;
}
