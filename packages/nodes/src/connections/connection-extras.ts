import type { Connection, ConnectionSource, MissingPackage } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { type Extra, missingExtra, packagesOf } from '../extras/extras.ts';
import { missingProvider, providerPackage } from '../extras/installed-package.ts';

/** What node types of ours need to ask the service behind a connection. */
export function connectionExtras({ type, configs }: Pick<Connection, 'type' | 'configs'>): readonly Extra[] {
  const needed: Extra[] = [...(ownValue(servicesWithExtras, type) ?? [])];
  if (configs['auth_mode'] === 'meid_token') needed.push('entra');
  if (type === 'amazon_bedrock' && configs['role_arn'] !== undefined) needed.push('awsRoles');
  return needed;
}

const servicesWithExtras: Readonly<Record<string, readonly Extra[]>> = {
  amazon_bedrock: ['bedrock'],
  cognitive_search: ['azureSearch'],
};

/** Packages that are installed beside the command where a connection is asked, as `name@major`, or by the name alone. */
export function connectionPackages(connection: Pick<Connection, 'type' | 'configs'>): readonly string[] {
  const provider = providerPackage(connection);
  return [...connectionExtras(connection).flatMap(packagesOf), ...(provider === undefined ? [] : [provider.pinned])];
}

/**
 * What is not installed and the connection of that name needs, where there is one.
 *
 * @param path of the key that names it
 * @param folder of the flow, beside which providers of models are looked for
 */
export function missingFor(
  name: string | undefined,
  connections: ConnectionSource,
  path: MissingPackage['path'],
  folder: string,
): readonly MissingPackage[] {
  const connection = name === undefined ? undefined : connections.find(name);
  return connection === undefined ? [] : missingBehind(connection, path, folder);
}

/** What is not installed and a connection needs. */
export function missingBehind(
  connection: Connection,
  path: MissingPackage['path'],
  folder: string,
): readonly MissingPackage[] {
  const provider = missingProvider(connection, [folder, process.cwd()]);
  return [
    ...(provider === undefined ? [] : [{ ...provider, path }]),
    ...missingExtras(connectionExtras(connection), path),
  ];
}

/** Those that are not installed. @param path of the key in the node that asks for them */
export function missingExtras(extras: readonly Extra[], path: MissingPackage['path']): readonly MissingPackage[] {
  return extras.flatMap((extra) => {
    const missing = missingExtra(extra);
    return missing === undefined ? [] : [{ ...missing, path }];
  });
}
