import type { Connection } from '@unroll/engine';

/** The list of models of a provider's service, which costs nothing. */
export interface ModelList {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The member that lists them. */
  readonly member: string;
}

interface Service {
  /** Where its package asks, where the connection says nothing. */
  readonly base: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly member: string;
  readonly path?: string;
}

const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

/**
 * Requests as published: Anthropic "List Models"; Gemini API "models.list"; Mistral "List Available Models"; Cohere "List models"
 * (version 1 of its API, while chat is of version 2); Groq, xAI and DeepSeek "List models"; Ollama "List local models".
 */
const services: Readonly<Record<string, Service>> = {
  anthropic: {
    base: 'https://api.anthropic.com/v1',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    member: 'data',
  },
  google: {
    base: 'https://generativelanguage.googleapis.com/v1beta',
    headers: (key) => ({ 'x-goog-api-key': key }),
    member: 'models',
  },
  mistral: { base: 'https://api.mistral.ai/v1', headers: bearer, member: 'data' },
  cohere: { base: 'https://api.cohere.com/v2', headers: bearer, member: 'models' },
  groq: { base: 'https://api.groq.com/openai/v1', headers: bearer, member: 'data' },
  xai: { base: 'https://api.x.ai/v1', headers: bearer, member: 'data' },
  deepseek: { base: 'https://api.deepseek.com', headers: bearer, member: 'data' },
  ollama: { base: 'http://127.0.0.1:11434/api', headers: () => ({}), member: 'models', path: 'tags' },
};

/** Undefined for a connection that is none to one of these, or whose key is not where theirs are. */
export function modelListOf({ type, configs, secrets }: Connection): ModelList | undefined {
  const service = services[type];
  const key = secrets['api_key'] ?? secrets['settings.apiKey'] ?? '';
  if (service === undefined || (key === '' && type !== 'ollama')) return undefined;
  const written = configs['base_url'] ?? configs['settings.baseURL'] ?? '';
  const base = (written === '' ? service.base : written).replace(/\/+$/, '');
  const place = type === 'cohere' ? base.replace(/\/v2$/, '/v1') : base;
  return { url: `${place}/${service.path ?? 'models'}`, headers: service.headers(key), member: service.member };
}
