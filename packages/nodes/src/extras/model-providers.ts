/** A provider of the Vercel AI SDK that has a type of connection of its own. Whoever uses it installs its package. */
export interface ModelProvider {
  /** Name of the connection's class, as those of Prompt flow are named. */
  readonly className: string;
  /** `name@major`. */
  readonly pinned: string;
  /** The export that makes it. */
  readonly factory: string;
  /** The variable in which its key is kept, as its package documents it; absent where it asks for none. */
  readonly keyVariable?: string;
  /** As the semantic conventions of OpenTelemetry name it, where it is not by its type. */
  readonly provider?: string;
}

/** By type of connection. */
export const modelProviders: Readonly<Record<string, ModelProvider>> = {
  anthropic: {
    className: 'AnthropicConnection',
    pinned: '@ai-sdk/anthropic@4',
    factory: 'createAnthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  google: {
    className: 'GoogleConnection',
    pinned: '@ai-sdk/google@4',
    factory: 'createGoogleGenerativeAI',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    provider: 'gcp.gemini',
  },
  mistral: {
    className: 'MistralConnection',
    pinned: '@ai-sdk/mistral@4',
    factory: 'createMistral',
    keyVariable: 'MISTRAL_API_KEY',
    provider: 'mistral_ai',
  },
  cohere: {
    className: 'CohereConnection',
    pinned: '@ai-sdk/cohere@4',
    factory: 'createCohere',
    keyVariable: 'COHERE_API_KEY',
  },
  groq: {
    className: 'GroqConnection',
    pinned: '@ai-sdk/groq@4',
    factory: 'createGroq',
    keyVariable: 'GROQ_API_KEY',
  },
  xai: {
    className: 'XaiConnection',
    pinned: '@ai-sdk/xai@5',
    factory: 'createXai',
    keyVariable: 'XAI_API_KEY',
    provider: 'x_ai',
  },
  deepseek: {
    className: 'DeepSeekConnection',
    pinned: '@ai-sdk/deepseek@3',
    factory: 'createDeepSeek',
    keyVariable: 'DEEPSEEK_API_KEY',
  },
  ollama: { className: 'OllamaConnection', pinned: 'ollama-ai-provider-v2@4', factory: 'createOllama' },
};

/** The type that names its package itself. */
export const anyProvider = 'ai_sdk';

/** Whether a model behind a connection of this type is asked through a provider of the AI SDK. */
export function isProviderType(type: string): boolean {
  return type === anyProvider || Object.hasOwn(modelProviders, type);
}
