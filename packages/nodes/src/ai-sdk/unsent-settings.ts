import type { ModelRequest } from '@unroll/engine';
import { askedAmong, type VainSettings, vainTexts } from '../openai/vain-settings.ts';

/** Settings of Chat Completions that the AI SDK's call has no place for, with what else can be done. */
const refusedSettings: Readonly<Record<string, string>> = {
  n: 'one answer a call is given; let the node run several times, or use a connection of type open_ai',
  logprobs: 'use a connection of type open_ai or azure_open_ai',
  top_logprobs: 'use a connection of type open_ai or azure_open_ai',
  best_of: 'one answer a call is given',
  echo: 'put the prompt before the answer in the template of a later node',
  suffix: 'write what follows into the prompt',
  prediction: 'use a connection of type open_ai',
  modalities: 'use a connection of type open_ai',
  audio: 'use a connection of type open_ai',
  web_search_options: 'write it as provider_options, where the provider has a search of its own',
  structured_outputs: 'use response_format with a JSON schema',
};

/** Without these the answer means the same. */
const unsentSettings: Readonly<Record<string, string>> = {
  logit_bias: 'say in the prompt what the model should not write',
  parallel_tool_calls: 'provider_options may hold it, for Anthropic {anthropic: {disableParallelToolUse: true}}',
  user: 'provider_options may hold it, for Anthropic {anthropic: {metadata: {userId: …}}}',
  metadata: 'provider_options may hold it',
  service_tier: 'provider_options may hold it',
  store: 'provider_options may hold it',
  verbosity: 'say in the prompt how long the answer should be',
  safety_identifier: 'provider_options may hold it',
  prompt_cache_key: 'provider_options may hold it, for Anthropic {anthropic: {cacheControl: {type: ephemeral}}}',
};

/** What of a request is not sent to a model behind the AI SDK. */
export interface SettingProblems {
  /** Another answer would come than was asked for: no call is made. */
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

/** @param version of the model's interface; undefined where it is not known yet */
export function settingProblems(request: ModelRequest, version?: string): SettingProblems {
  const effort =
    version === 'v3' && (request['reasoning_effort'] ?? null) !== null
      ? ['reasoning_effort is not sent: this version of the provider takes it in provider_options']
      : [];
  const { refused, warnings } = vainTexts(askedInVain(request), 'the AI SDK');
  return { refused, warnings: [...warnings, ...effort] };
}

export function askedInVain(request: ModelRequest): VainSettings {
  return { refused: askedAmong(request, refusedSettings), unsent: askedAmong(request, unsentSettings) };
}
