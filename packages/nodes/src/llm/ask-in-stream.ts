import type { JsonObject, JsonValue, ModelReply, NodeCall, NodeOutcome } from '@unroll/engine';
import { userError } from '../errors/tool-error.ts';
import { answersMessage, type ModelAsker, type Question } from './ask-model.ts';
import { chatOutput } from './chat-output.ts';
import { besideStream } from './model-streams.ts';

/**
 * Asks a node of a Prompt flow flow whose author wrote `stream: true`, by Prompt flow's rules: functions are refused once
 * they were sent (`post_process_chat_api_response`), with tools the output is the text, and Python nodes are given the
 * pieces. Where the model calls a tool the output is the message: Prompt flow loses the call.
 */
export async function askInStream(
  asker: ModelAsker,
  question: Question,
  inputs: JsonObject,
  call: NodeCall,
): Promise<NodeOutcome> {
  const isRefused = question.api === 'chat' && (inputs['functions'] ?? null) !== null;
  let pieces: string[] = [];
  const onText = (text: string): void => {
    pieces.push(text);
    if (!isRefused) call.onText?.(text);
  };
  const read = answersMessage(question.api) && question.wantsMessage ? { read: textOrCalls } : {};
  const isShown = call.onText !== undefined && !isRefused;
  const takeBack = (): void => {
    pieces = [];
  };
  const asked = { ...read, ...question, ...(isShown ? {} : { takeBack }) };
  const outcome = await asker.ask(asked, { ...call, onText });
  if (!outcome.ok) return outcome;
  if (isRefused) {
    const { report } = outcome;
    return { ok: false, error: noFunctionsInStreams, ...(report === undefined ? {} : { report }) };
  }
  if (typeof outcome.output !== 'string') return outcome;
  const beside = pieces.join('') === outcome.output ? { beside: besideStream(pieces) } : {};
  return { ...outcome, ...beside, report: { ...outcome.report, pieces } };
}

const noFunctionsInStreams = userError(
  'FunctionCallNotSupportedInStreamMode',
  'Function calling has not been supported by stream mode yet.',
);

function textOrCalls({ body }: ModelReply): JsonValue {
  const { tool_calls: calls = null, content = null } = body as JsonObject;
  return calls === null ? (content ?? '') : chatOutput(body, true);
}
