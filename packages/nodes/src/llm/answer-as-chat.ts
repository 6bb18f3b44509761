import { type ChatModelService, isMapping, type ModelRequest, type ModelService } from '@unroll/engine';
import { responsesParameters } from './api-parameters.ts';
import { withoutEncryptedThoughts } from './without-encrypted-thoughts.ts';

/** A service without a Responses API, asked through its chat where a node wants that one. */
export function answeringAsChat(service: ChatModelService): ModelService {
  return {
    call: (api, request, call) =>
      api === 'responses' ? service.call('chat', chatRequest(request), call) : service.call(api, request, call),
  };
}

/** What only the Responses API knows is left out, or called as chat calls it. */
function chatRequest(request: ModelRequest): ModelRequest {
  const { messages, max_output_tokens: max, reasoning } = request;
  const kept = Object.entries(request).filter(([name]) => !Object.hasOwn(responsesParameters, name));
  const effort = isMapping(reasoning) ? reasoning['effort'] : undefined;
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(messages) ? { messages: messages.map(withoutEncryptedThoughts) } : {}),
    ...(max === undefined ? {} : { max_tokens: max }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}
