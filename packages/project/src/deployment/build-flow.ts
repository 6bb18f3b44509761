import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type Diagnostic, makeFolder, Redactor } from '@unroll/engine';
import type { ListedConnectionSource } from '@unroll/nodes';
import { composeConnections } from '../connections/compose.ts';
import { checkFoundFlow } from '../flows/check-flow.ts';
import type { FoundFlow } from '../flows/find-flow.ts';
import { FlowNotReady } from '../flows/flow-not-ready.ts';
import { refuseMissing } from '../flows/refuse-missing.ts';
import { fillFolder } from '../host/output-folder.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BuildSettings } from './build-settings.ts';
import type { NeededVariable } from './built-connections.ts';
import { copyFlow, type FlowCopy, type LeftOut } from './flow-copy.ts';
import { layOut } from './lay-out.ts';
import { lockPackages } from './lock-packages.ts';
import { packFlow } from './pack-flow.ts';
import { promptyVariables } from './prompty-variables.ts';
import { reportImports } from './report-imports.ts';

export interface BuiltFlow {
  /** Paths in the folder, sorted. */
  readonly files: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly variables: readonly NeededVariable[];
  /** As `flow serve` is given it there. */
  readonly served: string;
}

/**
 * Writes a folder that serves a flow, by itself or as an image: the flow with what it includes, its connections without their secrets,
 * and what installs this version of flow.
 *
 * @throws FlowNotReady where the flow has mistakes; ProjectFailure where a file holds a secret, or nothing can be written there
 */
export async function buildFlow(found: FoundFlow, settings: BuildSettings, host: ProjectHost): Promise<BuiltFlow> {
  const { lock = true, connectionsFile } = settings;
  const output = resolve(host.folder, settings.output);
  refusePlace(output, settings, found);
  const connections = composeConnections(host, found.folder, connectionsFile);
  const copied = copyFlow(found, host.folder);
  const environment = environmentThere(connections, promptyVariables(copied), host);
  const there = { ...host, environment, redactor: new Redactor() };
  const { plan, diagnostics } = await checkFoundFlow(found, { connectionsFile }, there);
  const absent = diagnostics.filter(isInstalledThere);
  if (plan === undefined || diagnostics.some((one) => one.severity === 'error' && !absent.includes(one)))
    throw new FlowNotReady('the flow cannot run', { diagnostics, loadError: undefined });
  for (const { message } of absent) {
    const there = 'requirements.txt lists it, and it is installed where the flow is served';
    notify(host, { kind: 'warning', message: `${message} here; ${there}` });
  }
  const copy = packFlow(found, plan, connections, host, copied);
  reportMissingRequirements(copy, host);
  const { files, deployment } = layOut(found, copy, connections, settings, host);
  reportImports(copy, files.get('package.json'), host);
  const fill = (folder: string): void => {
    write(folder, files);
    const place = join(folder, deployment.name);
    refuseMissing({ file: join(place, basename(found.file)), folder: place }, shownThere(folder, copy), there);
  };
  fillFolder(settings.output, host, fill, [deployment.name]);
  if (lock) await lockPackages(output, host.environment, host.redactor);
  const written = [...files.keys(), ...(lock ? ['package-lock.json'] : [])].sort();
  const { served, variables } = deployment;
  return { files: written, leftOut: copy.leftOut, variables, served };
}

function shownThere(shownFrom: string, { leftOut }: FlowCopy) {
  const left = leftOut.map(({ path, why }) => `left ${path}, which ${why}`);
  return { shownFrom, help: ['Nothing was written.', ...left].join('\n') };
}

/** @throws ProjectFailure where the folder is not empty, or is the flow's own */
function refusePlace(output: string, { output: shown, force = false }: BuildSettings, { folder }: FoundFlow): void {
  if (isIn(output, folder) || isIn(folder, output)) {
    throw new ProjectFailure(`${shown} and the folder of the flow lie in each other`, {
      help: 'Name a folder beside it: --output ../built',
    });
  }
  if (!existsSync(output)) return;
  if (!statSync(output).isDirectory()) throw new ProjectFailure(`${shown} is no folder`);
  if (force || readdirSync(output).length === 0) return;
  throw new ProjectFailure(`${shown} is not empty`, {
    help: '--force writes into it; the folder of the flow in it is replaced, all else that is not written stays.',
  });
}

function isIn(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}${sep}`);
}

/** Variables that connections and prompties refer to need not be set here, where nothing is asked of them. */
function environmentThere(
  connections: ListedConnectionSource,
  ofPrompties: readonly NeededVariable[],
  { environment }: ProjectHost,
): Readonly<Record<string, string | undefined>> {
  const written = connections.list().flatMap(({ name }) => connections.written(name) ?? []);
  const values = written.flatMap(({ configs, secrets }) => [...Object.values(configs), ...Object.values(secrets)]);
  const names = values.flatMap((value) =>
    [...value.matchAll(/\$\{env:\s*([^}]+?)\s*\}/g)].map(([, name = '']) => name),
  );
  const all = [...names, ...ofPrompties.map(({ name }) => name)];
  return { ...Object.fromEntries(all.map((name) => [name, 'known where it is served'])), ...environment };
}

/** Python finds it where the flow is served, be it found here or not. */
function isInstalledThere({ code, notes = [] }: Diagnostic): boolean {
  return code === 'IMPORT_MISSING' && notes.some(({ span }) => span?.file.path.endsWith('requirements.txt'));
}

function reportMissingRequirements({ files }: FlowCopy, host: ProjectHost): void {
  if (files.has('requirements.txt') || ![...files.keys()].some((path) => path.endsWith('.py'))) return;
  const message =
    'the flow has Python files and no requirements.txt: where it is served there is only what Python brings';
  notify(host, { kind: 'warning', message });
}

function write(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, content] of files) {
    makeFolder(dirname(join(folder, path)));
    writeFileSync(join(folder, path), content);
  }
}
