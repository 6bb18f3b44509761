import { execFileSync } from 'node:child_process';
import { findPython, flowPython } from '@unroll/nodes';
import { findFlow, ProjectFailure, shownPath } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { PythonInfoSettings } from '../../options/python-options.ts';

/** `flow python info`: which Python the nodes of a flow run on, and why that one. */
export async function info(settings: PythonInfoSettings, io: Io): Promise<number> {
  const { folder } = findFlow(settings.flow, io);
  const python = findPython(folder, io.environment);
  if (!python.ok) {
    throw new ProjectFailure(`no Python was found: looked for ${python.tried.join(' and ')}`, {
      help: 'Install Python 3.9 or newer, or name it in UNROLL_PYTHON.',
    });
  }
  const own = flowPython(folder);
  const asked = askPython(python.command, io.environment);
  const facts = {
    python: shownPath(asked.path, io.folder),
    version: asked.version,
    from: own.isReady ? 'flow python setup' : originOf(python.command, folder),
    requirements: requirementsState(own, io.folder),
    promptflow: asked.promptflow ?? 'not installed: imports of promptflow get the stand-in that comes with flow',
  };
  if (settings.json) io.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  else for (const [name, fact] of Object.entries(facts)) io.stdout.write(`${name.padEnd(13)} ${fact}\n`);
  return exitCode.done;
}

function originOf(command: string, folder: string): string {
  return command.startsWith(folder) ? '.venv of the flow' : 'this machine';
}

function requirementsState({ requirements, isReady, isStale }: ReturnType<typeof flowPython>, from: string): string {
  if (requirements === undefined) return 'none';
  const shown = shownPath(requirements, from);
  if (isReady) return `${shown}, installed`;
  return isStale ? `${shown}, changed since flow python setup` : `${shown}, not installed by flow`;
}

interface Asked {
  readonly path: string;
  readonly version: string;
  readonly promptflow?: string;
}

const question = `
import json, sys
found = {"path": sys.executable, "version": sys.version.split()[0]}
try:
    from importlib.metadata import version
    found["promptflow"] = version("promptflow-core")
except Exception:
    pass
print(json.dumps(found))
`;

function askPython(command: string, environment: Readonly<Record<string, string | undefined>>): Asked {
  try {
    return JSON.parse(execFileSync(command, ['-c', question], { encoding: 'utf8', env: { ...environment } }));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ProjectFailure(`${command} does not start: ${reason}`);
  }
}
