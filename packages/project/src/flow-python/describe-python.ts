import { execFileSync } from 'node:child_process';
import { shownPath } from '@unroll/engine';
import { findPython, flowPython } from '@unroll/nodes';
import { findFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { noPython } from './no-python.ts';

/** Which Python the nodes of a flow run on, and why that one; each fact as people read it. */
export interface PythonDescription {
  readonly python: string;
  readonly version: string;
  readonly from: string;
  readonly requirements: string;
  readonly promptflow: string;
}

/** @throws ProjectFailure where there is no Python, or it does not start */
export function describePython(flow: string | undefined, system: System): PythonDescription {
  const { folder } = findFlow(flow, system);
  const python = findPython(folder, system.environment);
  if (!python.ok) throw noPython(python.tried);
  const own = flowPython(folder);
  const { path, version, promptflow } = askPython(python.command, system.environment);
  return {
    python: shownPath(path, system.folder),
    version,
    from: own.isReady ? 'flow python setup' : originOf(python.command, folder),
    requirements: requirementsState(own, system.folder),
    promptflow: promptflow ?? 'not installed: imports of promptflow get the stand-in that comes with flow',
  };
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

function askPython(command: string, environment: System['environment']): Asked {
  try {
    return JSON.parse(execFileSync(command, ['-c', question], { encoding: 'utf8', env: { ...environment } }));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ProjectFailure(`${command} does not start: ${reason}`);
  }
}
