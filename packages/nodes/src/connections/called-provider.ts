import type { CalledProvider, Connection } from '@unroll/engine';
import { hostOf } from '../http/quoted.ts';
import { connectionTypes } from './connection-types.ts';

/** Who answers a model's calls behind a connection; one that has no other name is called as its type is. */
export function calledProvider({ type, configs }: Connection): CalledProvider {
  const name = connectionTypes[type]?.provider ?? type;
  const { api_base: apiBase, base_url: baseUrl, endpoint } = configs;
  const host = hostOf(apiBase ?? baseUrl ?? endpoint ?? '');
  return host === undefined ? { name } : { name, host };
}
