import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { locateFlow, shownPath } from '@unroll/engine';
import { findMachinePython, flowPython, setUpPython } from '@unroll/nodes';
import { findFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { localPackages } from './local-packages.ts';
import { noPython } from './no-python.ts';

export interface PythonSetUpSettings {
  /** Makes the environment again where there is one. */
  readonly again: boolean;
  /** Aborted: what is installed until then is thrown away. */
  readonly signal: AbortSignal;
  /** What the installer says, a line each. */
  readonly onLine: (line: string) => void;
  /** Told before anything is installed. */
  readonly onWarning: (text: string) => void;
}

/** An environment of a flow's own. */
export interface PythonSetUp {
  /** Its folder, as people write it. */
  readonly environment: string;
  /** Now; it was there before otherwise. */
  readonly isMade: boolean;
  readonly hasRequirements: boolean;
}

/**
 * An environment of the flow's own with what its requirements.txt lists.
 *
 * @param flow its folder or a file in it; the flow itself need not be there where its requirements.txt is
 * @throws ProjectFailure where there is no Python, or the requirements cannot be installed
 */
export async function setUpFlowPython(
  flow: string | undefined,
  { again, signal, onLine, onWarning }: PythonSetUpSettings,
  { folder: from, environment }: System,
): Promise<PythonSetUp> {
  const folder = folderOf(flow, from);
  const own = flowPython(folder);
  const ready = { environment: shownPath(own.folder, from), hasRequirements: own.requirements !== undefined };
  if (own.isReady && !again) return { ...ready, isMade: false };
  const python = findMachinePython(environment);
  if (!python.ok) throw noPython(python.tried);
  if (own.requirements !== undefined) for (const doubt of localPackages(own.requirements)) onWarning(doubt);
  const result = await setUpPython(own, { python: python.command, flowFolder: folder, environment, signal, onLine });
  if (result.ok) return { ...ready, isMade: true };
  throw new ProjectFailure(result.message, { help: result.help, kind: 'failed' });
}

/** That of the flow; also one with a requirements.txt where no flow is yet, as a layer of an image has it. */
function folderOf(flow: string | undefined, from: string): string {
  const given = flow === undefined ? undefined : resolve(from, flow);
  const isAlone = given !== undefined && existsSync(join(given, 'requirements.txt')) && !locateFlow(given).ok;
  return isAlone ? given : findFlow(flow, { folder: from }).folder;
}
