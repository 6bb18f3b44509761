import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ListedConnectionSource } from '@unroll/nodes';
import { isOfIndexAlone } from '../flow-python/local-packages.ts';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { BuildSettings } from './build-settings.ts';
import { buildConnections } from './built-connections.ts';
import { type Deployment, dockerfileOf, dockerignore, readmeOf } from './deployment-files.ts';
import type { FlowCopy } from './flow-copy.ts';
import { manifestOf } from './package-manifest.ts';
import { promptyVariables } from './prompty-variables.ts';

/** A folder that serves a flow, before it is written: content by path. */
export interface LaidOut {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly deployment: Deployment;
}

/** @throws ProjectFailure where packages that are to go along are not there, or a connection cannot be read */
export function layOut(
  found: FoundFlow,
  copy: FlowCopy,
  source: ListedConnectionSource,
  settings: BuildSettings,
  host: ProjectHost,
): LaidOut {
  const { lock = true } = settings;
  const name = basename(found.folder);
  const served = servedAs(name, basename(found.file));
  const texts = [...copy.files.values()].filter(isUtf8).map((bytes) => Buffer.from(bytes).toString());
  const isNamed = (connection: string): boolean => texts.some((text) => text.includes(connection));
  const connections = buildConnections(source, isNamed, host.redactor);
  const packages = settings.packages === undefined ? undefined : resolve(host.folder, settings.packages);
  const ofFlow = copy.files.get('package.json');
  const manifest = manifestOf({
    served,
    packages,
    extras: connections.packages,
    ofFlow: ofFlow === undefined ? undefined : Buffer.from(ofFlow).toString(),
  });
  const own = promptyVariables(copy);
  const named = new Set(connections.variables.map((variable) => variable.name));
  const requirements = copy.files.get('requirements.txt');
  const deployment: Deployment = {
    name,
    served,
    isInstalledFirst: requirements !== undefined && isOfIndexAlone(Buffer.from(requirements).toString()),
    hasPython: [...copy.files.keys()].some((path) => path.endsWith('.py')),
    hasConnections: connections.text !== undefined,
    hasPackageFiles: packages !== undefined,
    hasLock: lock,
    variables: [...connections.variables, ...own.filter(({ name }) => !named.has(name))],
  };
  const files = new Map<string, Uint8Array>([
    ['package.json', Buffer.from(manifest.text)],
    ['Dockerfile', Buffer.from(dockerfileOf(deployment))],
    ['.dockerignore', Buffer.from(dockerignore)],
    ['README.md', Buffer.from(readmeOf(deployment))],
  ]);
  if (connections.text !== undefined) files.set('connections.yaml', Buffer.from(connections.text));
  for (const file of manifest.packageFiles) files.set(`packages/${file}`, readFileSync(join(packages ?? '', file)));
  for (const [path, content] of copy.files) files.set(`${name}/${path}`, content);
  return { files, deployment };
}

function servedAs(name: string, file: string): string {
  return ['flow.dag.yaml', 'flow.flex.yaml'].includes(file) ? name : `${name}/${file}`;
}
