import type { SearchClient, SearchIndexClient } from '@azure/search-documents';
import type { Connection } from '@unroll/engine';
import { requireExtra } from '../extras/extras.ts';
import { maxBytesOf } from '../http/answer-limit.ts';
import { azureTokenProvider } from '../openai/azure-token.ts';
import { limitAnswers } from './limit-answers.ts';

/** A row of an index as the service holds it. */
export type AzureDocument = Record<string, unknown>;

/** Vector queries have weights from this version on. */
const leastVersion = '2024-07-01';

/**
 * The door to @azure/search-documents, loaded when first used. Its own retries are off, since retries are recorded.
 *
 * @param connection of type cognitive_search: a key, or the Entra identity of the environment with `auth_mode: meid_token`
 */
export async function openSearchClient(connection: Connection, index: string): Promise<SearchClient<AzureDocument>> {
  requireExtra('azureSearch');
  const { SearchClient: Client } = await import('@azure/search-documents');
  return new Client(endpointOf(connection), index, await credentialOf(connection), optionsOf(connection));
}

/** The same service, asked for the definitions of its indexes. */
export async function openIndexClient(connection: Connection): Promise<SearchIndexClient> {
  requireExtra('azureSearch');
  const { SearchIndexClient: Client } = await import('@azure/search-documents');
  return new Client(endpointOf(connection), await credentialOf(connection), optionsOf(connection));
}

function endpointOf({ configs }: Connection): string {
  return (configs['api_base'] ?? '').replace(/\/+$/, '');
}

interface Token {
  readonly token: string;
  readonly expiresOnTimestamp: number;
}

type Credential = { readonly key: string } | { getToken(): Promise<Token> };

const oneMinute = 60_000;

/** The provider keeps a token until it ends; asking it again each minute costs nothing. */
async function credentialOf({ configs, secrets }: Connection): Promise<Credential> {
  if (configs['auth_mode'] !== 'meid_token') return { key: secrets['api_key'] ?? '' };
  const provide = await azureTokenProvider('https://search.azure.com/.default');
  return { getToken: async () => ({ token: await provide(), expiresOnTimestamp: Date.now() + 5 * oneMinute }) };
}

function optionsOf(connection: Connection): object {
  const written = connection.configs['api_version'] ?? '';
  const version = written > leastVersion ? written : leastVersion;
  return {
    apiVersion: version,
    serviceVersion: version,
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    additionalPolicies: [{ policy: limitAnswers(maxBytesOf(connection)), position: 'perRetry' }],
    // A server on this machine may speak without encryption.
    allowInsecureConnection: /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/.test(endpointOf(connection)),
  };
}
