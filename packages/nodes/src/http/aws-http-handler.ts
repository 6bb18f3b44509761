import type { AgentOptions } from 'node:http';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { proxySettings } from './proxy-settings.ts';

export type { NodeHttpHandler };

/**
 * What clients of AWS send their requests with: HTTP/1.1, or the proxy that `HTTP_PROXY` and `HTTPS_PROXY` name, but for the hosts
 * of `NO_PROXY`, where Node knows how (22.21 and later of 22, 24.5 and later). Loaded when the first client is made; so is
 * `node:http`, with which Node loads undici whole, an eighth of what a start of `flow` takes.
 *
 * @throws PrepareError where a variable holds no address of a proxy
 */
export async function awsHttpHandler(environment: NodeJS.ProcessEnv = process.env): Promise<NodeHttpHandler> {
  const { httpProxy, httpsProxy, noProxy } = proxySettings(environment, ['http', 'https']);
  const { NodeHttpHandler: Handler } = await import('@smithy/node-http-handler');
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const proxyEnv = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy };
  const options: AgentOptions = { keepAlive: true, maxSockets, proxyEnv };
  return new Handler({ httpAgent: new http.Agent(options), httpsAgent: new https.Agent(options) });
}

/** As many as the handler opens by itself. */
const maxSockets = 50;
