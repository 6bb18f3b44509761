import type { CallOptions, ProviderOptions } from './language-model.ts';
import type { ProviderCall } from './provider-call.ts';

/** The package of the connection type `ollama`. */
export const ollamaPackage = 'ollama-ai-provider-v2';

type Built = Extract<ProviderCall, { ok: true }>;

/**
 * The same call, with its settings where Ollama reads them: in `options` (its API reference, "Generate a chat completion"). The
 * package writes some beside it, where they change nothing, and leaves out others. Which tool is to be called cannot be said there.
 */
export function ollamaCall({ options, warnings }: Built): Built {
  const { temperature, topP, topK, maxOutputTokens, seed, stopSequences, providerOptions, ...rest } = options;
  const own = (providerOptions?.['ollama'] ?? {}) as ProviderOptions;
  const settings = { temperature, top_p: topP, top_k: topK, num_predict: maxOutputTokens, seed, stop: stopSequences };
  const written = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const merged = { ...written, ...(own['options'] as ProviderOptions | undefined) };
  const call: CallOptions = { ...rest, providerOptions: { ...providerOptions, ollama: { ...own, options: merged } } };
  const isDefaultChoice = options.toolChoice === undefined || options.toolChoice.type === 'auto';
  return {
    ok: true,
    options: call,
    warnings: isDefaultChoice ? warnings : [...warnings, 'the provider does not take tool_choice'],
  };
}
