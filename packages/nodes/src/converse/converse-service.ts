import type { BedrockRuntimeClientConfig, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import {
  type ChatModelService,
  type Connection,
  type JsonObject,
  type JsonValue,
  type ModelCall,
  type ModelRequest,
  type ModelResult,
  redactorOf,
  traceHeaders,
} from '@unroll/engine';
import { awsCredentials, awsIdentity } from '../aws/aws-credentials.ts';
import { requireExtra } from '../extras/extras.ts';
import { maxBytesOf } from '../http/answer-limit.ts';
import { awsHttpHandler } from '../http/aws-http-handler.ts';
import { limitedHandler } from '../http/limited-handler.ts';
import { hostOf } from '../http/quoted.ts';
import { vainTexts, withWarnings } from '../openai/vain-settings.ts';
import { converseFailure, unusableAnswer } from './converse-failure.ts';
import { converseRequest, unsendablePart } from './converse-request.ts';
import { parseConverse } from './read-converse.ts';
import { converseInVain } from './unsent-settings.ts';

/**
 * A model on Amazon Bedrock behind its Converse API, spoken to as a chat model. Keys, profile and role of the connection,
 * else what the SDK finds. The SDK's own retries are off, since retries are recorded. A streamed answer
 * comes as one piece.
 */
export async function converseService(connection: Connection): Promise<ChatModelService> {
  requireExtra('bedrock');
  const { BedrockRuntimeClient: Client, ConverseCommand: Command } = await import('@aws-sdk/client-bedrock-runtime');
  const client = new Client(await clientOptions(connection));
  const redactor = redactorOf(connection);
  const { endpoint, region = await client.config.region().catch(() => '') } = connection.configs;
  const asked = {
    host: hostOf(endpoint ?? `https://bedrock-runtime.${region}.amazonaws.com`),
    scrub: (text: string) => redactor.message(text),
  };
  return {
    async call(api, request, call): Promise<ModelResult> {
      if (api === 'embedding') return refusal('APINotFound', "Amazon Bedrock's Converse API makes no embeddings");
      const chat = api === 'chat' ? request : asChat(request);
      const { refused, warnings } = vainTexts(converseInVain(chat), "Amazon Bedrock's Converse API");
      const unsendable = refused[0] ?? unsendablePart(chat);
      if (unsendable !== undefined) return refusal('UnsupportedRequest', unsendable);
      try {
        const command = new Command(converseRequest(chat));
        sendTrace(command);
        const output = await client.send(command, { abortSignal: call.signal });
        const read = parseConverse(output, api, request['functions'] !== undefined);
        if (!read.ok) return unusableAnswer(read.problem, asked);
        handOn(read.reply.body, call);
        return { ok: true, reply: withWarnings(read.reply, warnings) };
      } catch (thrown) {
        return await converseFailure(thrown, asked);
      }
    },
  };
}

/** The trace that the call belongs to goes with it, signed as the rest. */
function sendTrace({ middlewareStack }: ConverseCommand): void {
  const headers = traceHeaders();
  middlewareStack.add(
    (next) => (given) => {
      Object.assign((given.request as { readonly headers: object }).headers, headers);
      return next(given);
    },
    { step: 'build', name: 'traceContext' },
  );
}

function handOn(body: JsonValue, { onText }: ModelCall): void {
  const text = typeof body === 'string' ? body : (body as JsonObject)['content'];
  if (typeof text === 'string' && text !== '') onText?.(text);
}

function refusal(code: string, message: string): ModelResult {
  return { ok: false, error: { code, message, retryable: false } };
}

async function clientOptions(connection: Connection): Promise<BedrockRuntimeClientConfig> {
  const { region, endpoint } = connection.configs;
  const identity = awsIdentity(connection);
  const credentials = awsCredentials(identity, region);
  return {
    maxAttempts: 1,
    requestHandler: limitedHandler(await awsHttpHandler(), maxBytesOf(connection)),
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(identity.profile === undefined ? {} : { profile: identity.profile }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function asChat(request: ModelRequest): ModelRequest {
  return { ...request, messages: [{ role: 'user', content: String(request['prompt'] ?? '') }] };
}
