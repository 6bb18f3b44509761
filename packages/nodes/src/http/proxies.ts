/** The proxies that the environment names; undefined where it names none. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

export function proxiesOf(environment: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  const given = (name: string): string => environment[name] ?? environment[name.toUpperCase()] ?? '';
  const proxies = { httpProxy: given('http_proxy'), httpsProxy: given('https_proxy'), noProxy: given('no_proxy') };
  return proxies.httpProxy === '' && proxies.httpsProxy === '' ? undefined : proxies;
}
