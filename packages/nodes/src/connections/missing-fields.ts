import type { Connection } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { connectionTypes } from './connection-types.ts';

/** What a connection lacks, and what to do about it. */
export interface MissingField {
  readonly message: string;
  readonly help: string;
}

const addresses: readonly string[] = ['api_base', 'base_url', 'endpoint'];

/** What it leads nowhere without: an address, or the package that asks. */
export function missingAddress({ name, type, configs }: Connection): MissingField | undefined {
  const { required } = ownValue(connectionTypes, type) ?? {};
  if (required !== undefined && (configs[required] ?? '') === '') return missing(name, required, '…');
  const wrong = addresses.find(
    (one) => !['', '_'].includes(configs[one] ?? '') && !/^https?:\/\/./i.test(configs[one] ?? ''),
  );
  if (type === 'custom' || wrong === undefined) return undefined;
  return { message: `${wrong} of connection "${name}" is no address`, help: 'it begins with https:// or http://' };
}

/** A server of one's own may ask for no key; these services ask for one. */
export function missingKey({ name, type, configs, secrets }: Connection): MissingField | undefined {
  const isOwnServer = type === 'open_ai' && (configs['base_url'] ?? '') !== '';
  const needsKey = ['open_ai', 'azure_open_ai', 'serverless'].includes(type) && configs['auth_mode'] !== 'meid_token';
  if (!needsKey || isOwnServer || (secrets['api_key'] ?? '') !== '') return undefined;
  return missing(name, 'api_key', `\${env:${type === 'azure_open_ai' ? 'AZURE_OPENAI_API_KEY' : 'OPENAI_API_KEY'}}`);
}

function missing(name: string, field: string, example: string): MissingField {
  return {
    message: `connection "${name}" has no ${field}`,
    help: `flow connection update ${JSON.stringify(name)} --set ${field}=…, or in connections.yaml ${field}: ${example}`,
  };
}
