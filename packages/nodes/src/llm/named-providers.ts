import type { CalledProvider, Connection } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { connectionTypes } from '../connections/connection-types.ts';
import { hostOf } from '../http/quoted.ts';
import type { OpenService } from './find-service.ts';

/** Services that tell who answers. */
export function namedProviders(open: OpenService): OpenService {
  return async (connection) => {
    const service = await open(connection);
    return service && { ...service, provider: calledProvider(connection) };
  };
}

/** Who answers a model's calls behind a connection; one that has no other name is called as its type is. */
function calledProvider({ type, configs }: Connection): CalledProvider {
  const name = ownValue(connectionTypes, type)?.provider ?? type;
  const { api_base: apiBase, base_url: baseUrl, endpoint } = configs;
  const host = hostOf(apiBase ?? baseUrl ?? endpoint ?? '');
  return host === undefined ? { name } : { name, host };
}
