import { PrepareError } from '@unroll/engine';

/** Proxies by what environments say; empty where there is none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are asked directly. */
  readonly noProxy: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, those in small letters before them, as curl reads them: an address without a
 * scheme is one of http.
 *
 * @param schemes that the one who asks can speak to a proxy
 * @throws PrepareError for what is no address, which may hold a password and is told nowhere
 */
export function proxySettings(environment: Environment, schemes: readonly string[]): ProxySettings {
  const given = (name: string): string => environment[name] || environment[name.toUpperCase()] || '';
  const proxy = (name: string): string => {
    const written = given(name).trim();
    if (written === '') return '';
    const address = written.includes('://') ? written : `http://${written}`;
    const scheme = URL.canParse(address) ? new URL(address).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme)) throw unusable(name.toUpperCase(), schemes);
    return address;
  };
  return { httpProxy: proxy('http_proxy'), httpsProxy: proxy('https_proxy'), noProxy: given('no_proxy') };
}

function unusable(name: string, schemes: readonly string[]): PrepareError {
  const message = `${name} is no address of a proxy that can be used: expected ${schemes[0]}://HOST:PORT (${schemes.join(', ')})`;
  return new PrepareError({ code: 'InvalidProxy', message, retryable: false });
}
