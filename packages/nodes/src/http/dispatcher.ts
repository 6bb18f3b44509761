import type { Dispatcher } from 'undici';
import { loadUndici } from './load-undici.ts';
import { proxySettings } from './proxy-settings.ts';

let opened: Promise<Dispatcher> | undefined;

/**
 * What every request of services goes through: connections of HTTP/1.1 that are kept open, or the proxy that `HTTP_PROXY`
 * and `HTTPS_PROXY` name, but for the hosts of `NO_PROXY`. Made when first asked for.
 */
export function openDispatcher(): Promise<Dispatcher> {
  opened ??= makeDispatcher(process.env);
  return opened;
}

const schemes = ['http', 'https', 'socks5', 'socks'];

/** @throws PrepareError where a variable of this process holds no address of a proxy */
export function checkProxies(): void {
  proxySettings(process.env, schemes);
}

/** @throws PrepareError where a variable holds no address of a proxy */
export async function makeDispatcher(environment: Readonly<Record<string, string | undefined>>): Promise<Dispatcher> {
  const proxies = proxySettings(environment, schemes);
  const undici = await loadUndici();
  if (proxies.httpProxy === '' && proxies.httpsProxy === '') return new undici.Agent(connections);
  return new undici.EnvHttpProxyAgent({ ...connections, ...proxies });
}

const connections = { allowH2: false };
