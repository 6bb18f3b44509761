import type { Connection } from '@unroll/engine';
import { connectionTypes } from '@unroll/nodes';
import { ProjectFailure } from '@unroll/project';
import type { Io } from '../io.ts';

/**
 * The connection with every secret that is only held open (empty, all `*`, `<no-change>`, `<user-input>`, `<your key>`, or
 * missing where its type has one) taken from the connection it replaces, or else asked for. `<user-input>` is always asked for.
 *
 * @param kept opens the connection it replaces; called only when one of its secrets is kept
 * @throws ProjectFailure when nobody can be asked, or gives none
 */
export async function fillSecrets(
  connection: Connection,
  kept: { readonly names: readonly string[]; open(): Connection | undefined },
  io: Io,
): Promise<Connection> {
  const filled: Record<string, string> = {};
  const open: string[] = [];
  for (const key of wantedSecrets(connection, kept.names)) {
    const given = connection.secrets[key];
    if (given !== undefined && !isHeldOpen(given)) filled[key] = given;
    else if (given !== '<user-input>' && kept.names.includes(key)) filled[key] = kept.open()?.secrets[key] ?? '';
    else open.push(key);
  }
  if (open.length > 0 && !io.isInteractive) throw unanswered(open, connection);
  for (const key of open) filled[key] = await askSecret(key, connection, io);
  return { ...connection, secrets: filled };
}

/** An Entra identity needs no key; a server that needs none is given `${env:…}` or any text. */
function wantedSecrets({ type, configs, secrets }: Connection, kept: readonly string[]): readonly string[] {
  const own = connectionTypes[type]?.secrets ?? [];
  const needed = configs['auth_mode'] === 'meid_token' ? [] : own;
  const stays = type === 'custom' ? kept : [];
  return [...new Set([...Object.keys(secrets), ...needed, ...stays])].filter(
    (key) => needed.includes(key) || !own.includes(key) || !isHeldOpen(secrets[key] ?? ''),
  );
}

function isHeldOpen(secret: string): boolean {
  return /^\**$/.test(secret) || /^<[^<>]*>$/.test(secret);
}

async function askSecret(key: string, { name }: Connection, io: Io): Promise<string> {
  const answer = (await io.ask(`${key} of ${name}: `, { isHidden: true })) ?? '';
  if (answer.trim() !== '') return answer.trim();
  throw new ProjectFailure(`no ${key} was given: nothing is kept`);
}

function unanswered(keys: readonly string[], { name, type }: Connection): ProjectFailure {
  const path = (key: string): string => (type === 'custom' ? `secrets.${key}` : key);
  return new ProjectFailure(`connection "${name}" needs ${keys.join(', ')}, and there is no terminal to ask`, {
    help: `Give ${keys.length === 1 ? 'it' : 'them'} with --set ${keys.map((key) => `${path(key)}=…`).join(' ')}, or read it from a file: --set ${path(keys[0] ?? '')}=@key.txt`,
  });
}
