import { isSecretName, nearestName } from '@unroll/engine';
import { anyProvider, modelProviders } from '../extras/model-providers.ts';

/** The connection types of Prompt flow: what each is called as a class, its fields and which of them are secret. */
export interface ConnectionType {
  readonly className: string;
  readonly secrets: readonly string[];
  readonly configs: readonly string[];
  readonly defaults?: Readonly<Record<string, string>>;
  /** Config without which it leads nowhere. */
  readonly required?: string;
  /** Whether it takes `settings` of any names beside its fields, which are kept by their paths: `settings.headers.x-team`. */
  readonly hasSettings?: true;
  /** Of a model: who answers, as the semantic conventions of OpenTelemetry name it. */
  readonly provider?: string;
}

/** What `auth_mode` may be, where a type has it. */
export const authModes: readonly string[] = ['key', 'meid_token'];

/** An addition to Prompt flow's: bytes of an answer that are taken. */
const maxBytes = 'max_response_bytes';

export const connectionTypes: Readonly<Record<string, ConnectionType>> = {
  azure_open_ai: {
    className: 'AzureOpenAIConnection',
    secrets: ['api_key'],
    configs: ['api_base', 'api_type', 'api_version', 'auth_mode', 'resource_id', maxBytes],
    required: 'api_base',
    provider: 'azure.ai.openai',
    defaults: { api_type: 'azure', api_version: '2024-02-01', auth_mode: 'key' },
  },
  open_ai: {
    className: 'OpenAIConnection',
    secrets: ['api_key'],
    configs: ['organization', 'base_url', maxBytes],
    provider: 'openai',
  },
  serverless: {
    className: 'ServerlessConnection',
    secrets: ['api_key'],
    configs: ['api_base', maxBytes],
    required: 'api_base',
    provider: 'azure.ai.inference',
  },
  serp: { className: 'SerpConnection', secrets: ['api_key'], configs: [] },
  qdrant: { className: 'QdrantConnection', secrets: ['api_key'], configs: ['api_base'], required: 'api_base' },
  weaviate: { className: 'WeaviateConnection', secrets: ['api_key'], configs: ['api_base'], required: 'api_base' },
  cognitive_search: {
    className: 'CognitiveSearchConnection',
    secrets: ['api_key'],
    configs: ['api_base', 'api_version', 'auth_mode', maxBytes],
    required: 'api_base',
    defaults: { api_version: '2023-11-01', auth_mode: 'key' },
  },
  azure_content_safety: {
    className: 'AzureContentSafetyConnection',
    secrets: ['api_key'],
    configs: ['endpoint', 'api_version', 'api_type'],
    required: 'endpoint',
    defaults: { api_version: '2023-10-01', api_type: 'Content Safety' },
  },
  form_recognizer: {
    className: 'FormRecognizerConnection',
    secrets: ['api_key'],
    configs: ['endpoint', 'api_version', 'api_type'],
    required: 'endpoint',
    defaults: { api_version: '2023-07-31', api_type: 'Form Recognizer' },
  },
  azure_ai_services: {
    className: 'AzureAIServicesConnection',
    secrets: ['api_key'],
    configs: ['endpoint', 'auth_mode'],
    required: 'endpoint',
    defaults: { auth_mode: 'key' },
  },
  /** An addition to Prompt flow's. */
  amazon_bedrock: {
    className: 'AmazonBedrockConnection',
    provider: 'aws.bedrock',
    secrets: ['access_key_id', 'secret_access_key', 'session_token'],
    configs: [
      'region',
      'endpoint',
      'profile',
      'role_arn',
      'external_id',
      'role_session_name',
      'sts_endpoint',
      maxBytes,
    ],
  },
  /** An addition to Prompt flow's: a model in a file, run by node-llama-cpp. */
  llama_cpp: {
    className: 'LlamaCppConnection',
    secrets: [],
    configs: ['model', 'context_size', 'threads', 'gpu'],
    required: 'model',
  },
  /** An addition to Prompt flow's: a model behind any provider of the Vercel AI SDK. */
  [anyProvider]: {
    className: 'AiSdkConnection',
    secrets: [],
    configs: ['package', 'export', 'base_url', maxBytes],
    required: 'package',
    hasSettings: true,
  },
  ...Object.fromEntries(
    Object.entries(modelProviders).map(([type, { className, keyVariable, provider = type }]) => [
      type,
      {
        className,
        secrets: keyVariable === undefined ? [] : ['api_key'],
        configs: ['base_url', 'package', 'export', maxBytes],
        hasSettings: true,
        provider,
      } satisfies ConnectionType,
    ]),
  ),
  custom: { className: 'CustomConnection', secrets: [], configs: [] },
};

/** Whether a setting of a connection, by its path, is kept among its secrets: headers may hold keys under any name. */
export function isSecretSetting(path: string): boolean {
  return /^settings\.headers\./i.test(path) || isSecretName(path);
}

/** Keys under which a custom connection says of which class of the user's it is, by the keys a file writes. */
export const strongTypeKeys: Readonly<Record<string, string>> = {
  custom_type: 'promptflow.connection.custom_type',
  module: 'promptflow.connection.module',
  package: 'promptflow.connection.package',
  package_version: 'promptflow.connection.package_version',
};

/** The nearest type to one that there is not, and all there are. */
export function typeHelp(written: string): string {
  const types = Object.keys(connectionTypes);
  const near = nearestName(written.toLowerCase(), types) ?? nearestClass(written);
  const all = `the types are ${types.join(', ')}`;
  return near === undefined ? all : `did you mean "${near}"? ${all}`;
}

function nearestClass(written: string): string | undefined {
  const near = nearestName(
    written,
    Object.values(connectionTypes).map(({ className }) => className),
  );
  return near === undefined ? undefined : typeNameOf(near);
}

/** The name of a type given as YAML name or as class name; undefined for an unknown one. */
export function typeNameOf(written: string): string | undefined {
  if (Object.hasOwn(connectionTypes, written)) return written;
  return Object.entries(connectionTypes).find(([, { className }]) => className === written)?.[0];
}
