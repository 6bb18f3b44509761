import type { Connection } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { connectionTypes } from '@unroll/nodes';
import { ProjectFailure } from '../host/project-failure.ts';

/** Asks whoever is there for a secret; undefined where nobody is. */
export type AskSecret = ((question: string) => Promise<string | undefined>) | undefined;

/** Secrets of the connection that this one replaces. */
export interface KeptSecrets {
  readonly names: readonly string[];
  /** Opens them; called only where one of them stays. */
  open(): Connection | undefined;
}

/**
 * The connection with every secret that is only held open (empty, all `*`, `<no-change>`, `<user-input>`, `<your key>`, or
 * missing where its type has one) taken from the connection it replaces, or else asked for. `<user-input>` is always asked for.
 *
 * @throws ProjectFailure when nobody can be asked, or gives none
 */
export async function fillSecrets(connection: Connection, kept: KeptSecrets, ask: AskSecret): Promise<Connection> {
  const filled: Record<string, string> = {};
  const open: string[] = [];
  for (const key of wantedSecrets(connection, kept.names)) {
    const given = connection.secrets[key];
    if (given !== undefined && !isHeldOpen(given)) filled[key] = given;
    else if (given !== '<user-input>' && kept.names.includes(key)) filled[key] = kept.open()?.secrets[key] ?? '';
    else open.push(key);
  }
  if (open.length > 0 && ask === undefined) throw unanswered(open, connection);
  for (const key of open) filled[key] = await askedSecret(key, connection, ask);
  return { ...connection, secrets: filled };
}

/** An Entra identity needs no key; a server that needs none is given `${env:…}` or any text. */
function wantedSecrets({ type, configs, secrets }: Connection, kept: readonly string[]): readonly string[] {
  const own = ownValue(connectionTypes, type)?.secrets ?? [];
  const needed = configs['auth_mode'] === 'meid_token' ? [] : own;
  const stays = type === 'custom' ? kept : [];
  return [...new Set([...Object.keys(secrets), ...needed, ...stays])].filter(
    (key) => needed.includes(key) || !own.includes(key) || !isHeldOpen(secrets[key] ?? ''),
  );
}

function isHeldOpen(secret: string): boolean {
  return /^\**$/.test(secret) || /^<[^<>]*>$/.test(secret);
}

async function askedSecret(key: string, { name }: Connection, ask: AskSecret): Promise<string> {
  const answer = ((await ask?.(`${key} of ${name}: `)) ?? '').trim();
  if (answer !== '') return answer;
  throw new ProjectFailure(`no ${key} was given: nothing is kept`);
}

function unanswered(keys: readonly string[], { name, type }: Connection): ProjectFailure {
  const path = (key: string): string => (type === 'custom' ? `secrets.${key}` : key);
  return new ProjectFailure(`connection "${name}" needs ${keys.join(', ')}, and there is no terminal to ask`, {
    help: `Give ${keys.length === 1 ? 'it' : 'them'} with --set ${keys.map((key) => `${path(key)}=…`).join(' ')}, or read it from a file: --set ${path(keys[0] ?? '')}=@key.txt`,
  });
}
