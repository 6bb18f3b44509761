import type { Connection, Value } from '@unroll/engine';

/** Anything shorter occurs in ordinary words. */
const shortestSecret = 4;

/** Replaces every secret of the connections by stars; the text itself where there are none. */
export function createRedaction(connections: Value | undefined): (text: string) => string {
  const given = Object.values((connections ?? {}) as Readonly<Record<string, Pick<Connection, 'secrets'>>>);
  const secrets = given
    .flatMap(({ secrets }) => Object.values(secrets))
    .filter((secret) => secret.length >= shortestSecret);
  if (secrets.length === 0) return (text) => text;
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '**********'), text);
}
