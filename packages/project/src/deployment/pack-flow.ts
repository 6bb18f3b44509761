import { basename, join } from 'node:path';
import { type Plan, readSourceFile, shownPath } from '@unroll/engine';
import type { ListedConnectionSource } from '@unroll/nodes';
import type { FoundFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { copyFlow, type FlowCopy } from './flow-copy.ts';
import { heldSecrets } from './held-secrets.ts';
import { withoutIncludes } from './without-includes.ts';

/**
 * The files of a flow as they go elsewhere: those it includes are laid in, and no file holds a secret that is known here.
 *
 * @param copied its files, where they are read already
 * @throws ProjectFailure with every place of a secret
 */
export function packFlow(
  found: FoundFlow,
  { environmentVariables }: Pick<Plan, 'environmentVariables'>,
  connections: ListedConnectionSource,
  system: System,
  copied = copyFlow(found, system.folder),
): FlowCopy {
  learnWritten(connections, system);
  const variables = Object.entries(environmentVariables).map(([name, value]) => [name, String(value)] as const);
  system.redactor.learnEnvironment(Object.fromEntries(variables));
  refuseSecrets(copied, found, system);
  // What it includes lies in its folder now.
  const flowText = withoutIncludes(readSourceFile(found.file, system.folder));
  return { ...copied, files: new Map([...copied.files, [basename(found.file), Buffer.from(flowText)]]) };
}

/** A variable may win over what is written of a connection, which is a secret all the same. */
function learnWritten(connections: ListedConnectionSource, { redactor }: System): void {
  for (const { name } of connections.list()) {
    const connection = connections.written(name);
    if (connection !== undefined) redactor.learnConnection(connection);
  }
}

function refuseSecrets({ files }: FlowCopy, { folder }: FoundFlow, system: System): void {
  const held = heldSecrets(files, system.redactor);
  if (held.length === 0) return;
  const places = held.map(({ path, line }) => `${shownPath(join(folder, path), system.folder)}:${line} holds a secret`);
  throw new ProjectFailure(places.join('\n'), {
    code: 'SecretInFlow',
    help: 'Nothing was written. Take it from a connection, or from a variable of the environment.',
  });
}
