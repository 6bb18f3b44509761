import type { BedrockRuntimeClientConfig, ConverseCommandOutput } from '@aws-sdk/client-bedrock-runtime';
import {
  type Connection,
  type ModelReply,
  type ModelRequest,
  type ModelResult,
  type ModelService,
  printJson,
  type Redactor,
  redactorOf,
  type Value,
  type Values,
} from '@unroll/engine';
import { awsCredentials, awsIdentity } from '../aws/aws-credentials.ts';
import { awsHttpHandler } from '../http/aws-http-handler.ts';
import { converseRequest } from './converse-request.ts';

/**
 * A model on Amazon Bedrock behind its Converse API, spoken to as a chat model. Keys, profile and role of the connection,
 * else what the SDK finds. The SDK's own retries are off, since retries are recorded. A streamed answer
 * comes as one piece.
 */
export async function converseService(connection: Connection): Promise<ModelService> {
  const { BedrockRuntimeClient: Client, ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime');
  const client = new Client(await clientOptions(connection));
  const redactor = redactorOf(connection);
  return {
    provider: 'openai',
    async call(api, request, call): Promise<ModelResult> {
      if (api === 'embedding') return noEmbedding;
      const asked = api === 'chat' ? request : asChat(request);
      try {
        const output = await client.send(new ConverseCommand(converseRequest(asked)), { abortSignal: call.signal });
        const reply = replyOf(output, request['functions'] !== undefined, api);
        const text = typeof reply.body === 'string' ? reply.body : ((reply.body as Values)['content'] ?? '');
        if (typeof text === 'string' && text !== '') call.onText?.(text);
        return { ok: true, reply };
      } catch (thrown) {
        return failureOf(thrown as Thrown, redactor);
      }
    },
  };
}

const noEmbedding: ModelResult = {
  ok: false,
  error: { code: 'APINotFound', message: "Amazon Bedrock's Converse API makes no embeddings", retryable: false },
};

async function clientOptions(connection: Connection): Promise<BedrockRuntimeClientConfig> {
  const { region, endpoint } = connection.configs;
  const identity = awsIdentity(connection);
  const credentials = awsCredentials(identity, region);
  return {
    maxAttempts: 1,
    requestHandler: await awsHttpHandler(),
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(identity.profile === undefined ? {} : { profile: identity.profile }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function asChat(request: ModelRequest): ModelRequest {
  return { ...request, messages: [{ role: 'user', content: String(request['prompt'] ?? '') }] };
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

function replyOf(answer: ConverseCommandOutput, asFunction: boolean, api: 'chat' | 'completion'): ModelReply {
  const blocks = answer.output?.message?.content ?? [];
  const text = blocks.map((block) => block.text ?? '').join('');
  const calls = blocks.flatMap(({ toolUse }) =>
    toolUse === undefined
      ? []
      : [
          {
            id: toolUse.toolUseId ?? '',
            name: toolUse.name ?? '',
            arguments: printJson((toolUse.input ?? {}) as Value),
          },
        ],
  );
  const message = messageOf(text, calls, asFunction);
  const stop = (answer.additionalModelResponseFields as { stop_sequence?: string } | undefined)?.stop_sequence ?? null;
  const finish = finishReasons[answer.stopReason ?? ''] ?? answer.stopReason ?? null;
  const choice = { index: 0, finish_reason: finish, stop_reason: stop, message };
  const { inputTokens: promptTokens = 0, outputTokens: completionTokens = 0 } = answer.usage ?? {};
  return {
    body: api === 'chat' ? message : text,
    whole: { choices: [choice] },
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
  };
}

function messageOf(
  text: string,
  calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[],
  asFunction: boolean,
): Values {
  const content = text === '' && calls.length > 0 ? null : text;
  const [first] = calls;
  if (first === undefined) return { role: 'assistant', content };
  if (asFunction)
    return { role: 'assistant', content, function_call: { name: first.name, arguments: first.arguments } };
  const toolCalls = calls.map(({ id, ...one }) => ({ id, type: 'function', function: one }));
  return { role: 'assistant', content, tool_calls: toolCalls };
}

interface Thrown extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $retryable?: object;
}

/** Errors of the API by their names (`ThrottlingException`, `ValidationException` …). */
function failureOf(thrown: Thrown, redactor: Redactor): ModelResult {
  const status = thrown.$metadata?.httpStatusCode;
  const message = redactor.message(thrown.message);
  const told = status === undefined ? message : `${message} (HTTP ${status})`;
  const retryable =
    status === undefined ? /^(TimeoutError|ECONN|Error$)/.test(thrown.name) : status === 429 || status >= 500;
  return { ok: false, error: { code: thrown.name, message: told, retryable } };
}
