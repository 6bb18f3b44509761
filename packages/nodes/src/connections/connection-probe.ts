import type { Connection } from '@unroll/engine';
import { modelListOf } from './provider-probe.ts';

/** The cheapest request that shows whether a service is reached and takes the key. Nothing of it is charged. */
export interface Probe {
  /** What is asked, in words. */
  readonly asks: string;
  readonly url: string;
  /** Where the key stands in a header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many things the answer lists; undefined where it lists nothing. */
  count?(reply: unknown): number | undefined;
}

/**
 * The probe of a connection; undefined where there is no service of its own behind it (custom, scripted).
 *
 * @param token of an Entra identity, where the connection uses one instead of a key
 *
 * Requests as published: OpenAI "List models"; Azure OpenAI data plane "Models - List"; SerpAPI "Account API"; Qdrant "List
 * collections"; Weaviate "/v1/meta"; Azure AI Search "Indexes - List"; Content Safety "Text Operations - Analyze Text"; Form
 * Recognizer "Miscellaneous - Get Resource Info".
 */
export function probeOf(connection: Connection, token?: string): Probe | undefined {
  const list = modelListOf(connection);
  if (list === undefined) return probes[connection.type]?.(connection, token);
  const { url, headers, member } = list;
  return { asks: 'the list of models', url, headers, count: membersOf(member) };
}

type MakeProbe = (connection: Connection, token: string | undefined) => Probe;

const probes: Readonly<Record<string, MakeProbe>> = {
  open_ai: ({ configs, secrets }) => ({
    asks: 'the list of models',
    url: `${written(configs['base_url']) ?? 'https://api.openai.com/v1'}/models`,
    headers: {
      ...bearer(secrets['api_key']),
      ...(written(configs['organization']) === undefined
        ? {}
        : { 'openai-organization': configs['organization'] ?? '' }),
    },
    count: membersOf('data'),
  }),
  azure_open_ai: ({ configs, secrets }, token) => ({
    asks: 'the list of models',
    url: `${base(configs['api_base'])}/openai/models?api-version=${configs['api_version'] ?? ''}`,
    headers: token === undefined ? { 'api-key': secrets['api_key'] ?? '' } : bearer(token),
    count: membersOf('data'),
  }),
  serverless: ({ configs, secrets }) => ({
    asks: 'the list of models',
    url: `${base(configs['api_base']).replace(/\/v1$/, '')}/v1/models`,
    headers: bearer(secrets['api_key']),
    count: membersOf('data'),
  }),
  serp: ({ secrets }) => ({
    asks: 'the account',
    url: `https://serpapi.com/account?api_key=${encodeURIComponent(secrets['api_key'] ?? '')}`,
    headers: {},
  }),
  qdrant: ({ configs, secrets }) => ({
    asks: 'the list of collections',
    url: `${base(configs['api_base'])}/collections`,
    headers: { 'api-key': secrets['api_key'] ?? '' },
    count: (reply) => membersOf('collections')(memberOf(reply, 'result')),
  }),
  weaviate: ({ configs, secrets }) => ({
    asks: 'what the server is',
    url: `${base(configs['api_base'])}/v1/meta`,
    headers: bearer(secrets['api_key']),
  }),
  cognitive_search: ({ configs, secrets }, token) => ({
    asks: 'the list of indexes',
    url: `${base(configs['api_base'])}/indexes?api-version=${configs['api_version'] ?? ''}&$select=name`,
    headers: token === undefined ? { 'api-key': secrets['api_key'] ?? '' } : bearer(token),
    count: membersOf('value'),
  }),
  azure_content_safety: ({ configs, secrets }) => ({
    asks: 'a judgement of the text "test"',
    url: `${base(configs['endpoint'])}/contentsafety/text:analyze?api-version=${configs['api_version'] ?? ''}`,
    headers: { ...subscription(secrets['api_key']), 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'test' }),
  }),
  form_recognizer: ({ configs, secrets }) => ({
    asks: 'what the resource may do',
    url: `${base(configs['endpoint'])}/formrecognizer/info?api-version=${configs['api_version'] ?? ''}`,
    headers: subscription(secrets['api_key']),
  }),
  azure_ai_services: ({ configs, secrets }, token) => ({
    asks: 'what the resource may do',
    url: `${base(configs['endpoint'])}/formrecognizer/info?api-version=2023-07-31`,
    headers: token === undefined ? subscription(secrets['api_key']) : bearer(token),
  }),
};

function written(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === '_' ? undefined : base(value);
}

function base(value: string | undefined): string {
  return (value ?? '').replace(/\/+$/, '');
}

function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key ?? ''}` };
}

function subscription(key: string | undefined): Readonly<Record<string, string>> {
  return { 'ocp-apim-subscription-key': key ?? '' };
}

function membersOf(key: string): (reply: unknown) => number | undefined {
  return (reply) => {
    const list = memberOf(reply, key);
    return Array.isArray(list) ? list.length : undefined;
  };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
