import { shownPath } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { flowPython } from '@unroll/nodes';
import type { System } from '../host/project-host.ts';

/** What to do where `message` says why a Python file cannot be loaded; undefined where it says all there is to do. */
export function loadHelp(message: string, folder: string, system: Pick<System, 'folder'>): string | undefined {
  if (message.startsWith('No tool found in the python script'))
    return 'Put `@tool` above the function that is the node: from promptflow.core import tool';
  if (/^Expected 1 but collected \d+ tools/.test(message))
    return 'Leave `@tool` on one of them; another node has its tool in a file of its own.';
  return missingModuleHelp(message, folder, system);
}

/** What to do where `message` says that Python has no module, or no part of promptflow, of some name; undefined for any other. */
function missingModuleHelp(message: string, folder: string, system: Pick<System, 'folder'>): string | undefined {
  const [, missing] = /No module named '([^']+)'/.exec(message) ?? [];
  const [, part, of] = /cannot import name '([^']+)' from '(promptflow[^']*)'/.exec(message) ?? [];
  const name = missing ?? (part === undefined ? undefined : `${of}.${part}`);
  if (name === undefined) return undefined;
  const { requirements, isReady } = flowPython(folder);
  const setUp = `flow python setup ${shellWord(shownPath(folder, system.folder))}`;
  if (requirements !== undefined && !isReady) return `${setUp} installs what requirements.txt lists.`;
  const isPromptFlow = /^promptflow(\.|$)/.test(name);
  const what = isPromptFlow ? 'promptflow' : 'its package';
  const list = requirements === undefined ? `List ${what} in a requirements.txt` : `Add ${what} to requirements.txt`;
  const reason = isPromptFlow ? `What comes with flow in place of promptflow has no ${name}. ` : '';
  return `${reason}${list} and run ${setUp}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python.`;
}
