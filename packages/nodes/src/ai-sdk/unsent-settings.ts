import { isMapping, type JsonValue, type ModelRequest } from '@unroll/engine';

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
  const { refused, unsent } = askedInVain(request);
  return {
    refused: refused.map(({ name, way }) => `the AI SDK knows no ${name}: ${way}`),
    warnings: [...unsent.map(({ name, way }) => `${name} is not sent: ${way}`), ...effort],
  };
}

/** A setting that is asked for and has no place in the call, and what else can be done. */
export interface VainSetting {
  readonly name: string;
  readonly way: string;
}

export function askedInVain(request: ModelRequest): {
  /** Without them another answer would come than was asked for. */
  readonly refused: readonly VainSetting[];
  readonly unsent: readonly VainSetting[];
} {
  const among = (settings: Readonly<Record<string, string>>): readonly VainSetting[] =>
    Object.entries(settings).flatMap(([name, way]) => (isAsked(name, request[name]) ? [{ name, way }] : []));
  return { refused: among(refusedSettings), unsent: among(unsentSettings) };
}

/** Values that ask for nothing: Prompt flow's tools send some of them always. */
const unasked: Readonly<Record<string, JsonValue>> = {
  n: 1,
  best_of: 1,
  echo: false,
  logprobs: false,
  store: false,
  parallel_tool_calls: true,
};

function isAsked(name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (isMapping(value)) return Object.keys(value).length > 0;
  return String(value).toLowerCase() !== String(unasked[name]);
}
