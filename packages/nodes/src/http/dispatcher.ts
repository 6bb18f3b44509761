import type { Dispatcher } from 'undici';
import { loadUndici } from './load-undici.ts';

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
  const undici = await loadUndici();
  const given = (name: string): string => environment[name] ?? environment[name.toUpperCase()] ?? '';
  const [httpProxy, httpsProxy, noProxy] = [given('http_proxy'), given('https_proxy'), given('no_proxy')];
  if (httpProxy === '' && httpsProxy === '') return new undici.Agent(connections);
  return new undici.EnvHttpProxyAgent({ ...connections, httpProxy, httpsProxy, noProxy });
}

const connections = { allowH2: false };
