import type { ModelRequest } from '@unroll/engine';
import { askedAmong, type VainSettings } from '../openai/vain-settings.ts';

const other = 'use a connection of another type';

/** Settings of Chat Completions that the Converse API has no place for. */
const refusedSettings: Readonly<Record<string, string>> = {
  n: 'one answer a call is given; let the node run several times',
  best_of: 'one answer a call is given',
  logprobs: other,
  top_logprobs: other,
  echo: 'put the prompt before the answer in the template of a later node',
  suffix: 'write what follows into the prompt',
  response_format: 'say in the prompt that the answer is JSON, or offer a tool with its schema',
  structured_outputs: 'say in the prompt what the answer may be, or offer a tool with its schema',
  modalities: other,
  audio: other,
  prediction: other,
  web_search_options: other,
};

const unsentSettings: Readonly<Record<string, string>> = {
  seed: 'answers differ from call to call',
  presence_penalty: 'say in the prompt what the answer should not repeat',
  frequency_penalty: 'say in the prompt what the answer should not repeat',
  logit_bias: 'say in the prompt what the model should not write',
  top_k: 'use top_p, which is sent',
  parallel_tool_calls: 'say in the prompt that one tool is called at a time',
  reasoning_effort: 'the model thinks as much as it does by itself',
  verbosity: 'say in the prompt how long the answer should be',
  user: 'leave it out',
  metadata: 'leave it out',
  service_tier: 'leave it out',
  store: 'leave it out',
  safety_identifier: 'leave it out',
  prompt_cache_key: 'leave it out',
};

export function converseInVain(request: ModelRequest): VainSettings {
  return { refused: askedAmong(request, refusedSettings), unsent: askedAmong(request, unsentSettings) };
}
