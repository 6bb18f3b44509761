import type { Dispatcher } from 'undici';
import { proxiesOf } from './proxies.ts';

let opened: Promise<Dispatcher> | undefined;

/**
 * What every request of services goes through: connections of HTTP/1.1 that are kept open, or the proxy that `HTTP_PROXY`
 * and `HTTPS_PROXY` name, but for the hosts of `NO_PROXY`. Made when first asked for.
 */
export function openDispatcher(): Promise<Dispatcher> {
  opened ??= makeDispatcher(process.env);
  return opened;
}

export async function makeDispatcher(environment: Readonly<Record<string, string | undefined>>): Promise<Dispatcher> {
  // undici is CommonJS: once bundled, its names are found on the default export only.
  const { default: undici } = await import('undici');
  const proxies = proxiesOf(environment);
  return proxies === undefined
    ? new undici.Agent(connections)
    : new undici.EnvHttpProxyAgent({ ...connections, ...proxies });
}

const connections = { allowH2: false };
