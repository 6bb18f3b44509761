import {
  fallbackConnection,
  fallbackModel,
  type JsonObject,
  type ModelRequest,
  type ModelService,
  type NodeDefinition,
  type NodeError,
  type PrepareContext,
  readFallbacks,
} from '@unroll/engine';
import { type Api, parametersOf } from './api-parameters.ts';
import type { AskedFallback } from './ask-model.ts';
import {
  type BuiltRequest,
  buildChatRequest,
  buildCompletionRequest,
  buildEmbeddingRequest,
  buildResponsesRequest,
  modelOf,
} from './build-request.ts';
import { type OpenService, openNamed } from './find-service.ts';
import type { ChatMessage } from './parse-chat.ts';
import { splitInputs } from './prompt-request.ts';
import type { RequestForm } from './request-form.ts';
import { withoutEncryptedThoughts } from './without-encrypted-thoughts.ts';

/** Another connection of a node, made ready. */
export interface Fallback {
  readonly connection: string;
  readonly connectionType: string;
  readonly service: ModelService;
  readonly form: RequestForm;
  /** What it is asked for; the node's own model where absent. */
  readonly model?: string;
}

/** `retry: {fallback: […]}` of a node. */
export function writtenFallbacks({ retry }: NodeDefinition['settings']): ReturnType<typeof readFallbacks> {
  return readFallbacks(((retry ?? {}) as JsonObject)['fallback']);
}

/** The connections of `retry: {fallback: […]}`, opened. @throws PrepareError where one is missing or is no model */
export async function openFallbacks(
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
): Promise<readonly Fallback[]> {
  return await Promise.all(
    writtenFallbacks(node.settings).map(async (written): Promise<Fallback> => {
      const name = fallbackConnection(written);
      const { service, form, type } = await openNamed(name, node, context, openService);
      const model = fallbackModel(written);
      return { connection: name, connectionType: type, service, form, ...(model === undefined ? {} : { model }) };
    }),
  );
}

/** What a node asked, from which the requests of other connections are made. */
export interface OwnRequest {
  readonly api: Api;
  readonly request: ModelRequest;
  readonly inputs: JsonObject;
  /** Of the template. */
  readonly variables: ReadonlySet<string>;
}

/** What each of them is asked; the first request that cannot be made is the error of the node. */
export function askedFallbacks(
  fallbacks: readonly Fallback[],
  own: OwnRequest,
): { readonly fallbacks?: readonly AskedFallback[] } | { readonly error: NodeError } {
  if (fallbacks.length === 0) return {};
  const asked: AskedFallback[] = [];
  for (const fallback of fallbacks) {
    const built = fallbackRequest(fallback, own);
    if (!built.ok) return { error: built.error };
    const { service, form, connection, connectionType } = fallback;
    asked.push({ service, form, connection, connectionType, request: built.request });
  }
  return { fallbacks: asked };
}

/** The same messages or prompt, with the parameters that the connection takes, and its model. */
function fallbackRequest({ form, model }: Fallback, { api, request, inputs, variables }: OwnRequest): BuiltRequest {
  const [own] = splitInputs(inputs, parametersOf(form, api, variables));
  const asked = model ?? modelOf(form, own, 'chat') ?? request['model'] ?? null;
  const given = { ...own, model: asked, deployment_name: asked };
  if (api === 'embedding') return buildEmbeddingRequest(form, given);
  if (api === 'completion') return buildCompletionRequest(form, String(request['prompt'] ?? ''), given);
  const messages = (request['messages'] ?? []) as readonly ChatMessage[];
  if (api === 'chat') return buildChatRequest(form, messages, given);
  // Only who encrypted a thought reads it.
  return buildResponsesRequest(form, messages.map(withoutEncryptedThoughts) as readonly ChatMessage[], given);
}
