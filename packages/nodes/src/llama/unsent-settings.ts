import { isMapping, type ModelRequest } from '@unroll/engine';
import { askedAmong, type VainSettings } from '../openai/vain-settings.ts';

/** Settings of Chat Completions that a model in a file is not asked with; tools are told by themselves. */
const refusedSettings: Readonly<Record<string, string>> = {
  stop: 'hold the answer by structured_outputs, or cut it in the node behind it',
  n: 'one answer a call is given; let the node run several times',
  best_of: 'one answer a call is given',
  logprobs: 'use a connection of another type',
  top_logprobs: 'use a connection of another type',
  echo: 'put the prompt before the answer in the template of a later node',
  suffix: 'write what follows into the prompt',
};

const unsentSettings: Readonly<Record<string, string>> = {
  presence_penalty: 'say in the prompt what the answer should not repeat',
  frequency_penalty: 'say in the prompt what the answer should not repeat',
  logit_bias: 'say in the prompt what the model should not write',
  top_k: 'use top_p, which is sent',
  reasoning_effort: 'the model thinks as much as it does by itself',
  verbosity: 'say in the prompt how long the answer should be',
};

export function llamaInVain(request: ModelRequest): VainSettings {
  const { response_format: format = null } = request;
  const isAnyJson = isMapping(format) && format['type'] === 'json_object';
  const way = 'write its schema: {type: json_schema, json_schema: {…}}';
  return {
    refused: [...askedAmong(request, refusedSettings), ...(isAnyJson ? [{ name: 'response_format', way }] : [])],
    unsent: askedAmong(request, unsentSettings),
  };
}
