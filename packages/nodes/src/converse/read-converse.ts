import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import * as z from 'zod';
import { endWarnings } from '../openai/end-warnings.ts';
import { type ReadAnswer, replyOf, unusable } from '../openai/read-answer.ts';
import { type CountedUsage, doubted, isCount, readUsage } from '../openai/read-usage.ts';
import { firstIssue } from '../openai/schema-issue.ts';

const block = z.looseObject({
  text: z.string().nullish(),
  toolUse: z.looseObject({ toolUseId: z.string(), name: z.string(), input: z.unknown().optional() }).nullish(),
});
const answer = z.looseObject({
  output: z.looseObject({ message: z.looseObject({ content: z.array(block) }) }),
  stopReason: z.string().nullish(),
  additionalModelResponseFields: z
    .looseObject({ stop_sequence: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  usage: z.unknown().optional(),
});
type Block = z.infer<typeof block>;

const finishReasons: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
]);

/** An answer of the Converse API as a chat model's of OpenAI. */
export function parseConverse(output: unknown, api: 'chat' | 'completion', asFunction: boolean): ReadAnswer {
  const read = answer.safeParse(output);
  if (!read.success) {
    return { ok: false, problem: unusable(`the answer cannot be used: ${firstIssue(read.error)}`, output) };
  }
  const { output: told, stopReason, additionalModelResponseFields: more, usage } = read.data;
  const blocks = told.message.content;
  const text = blocks.map((one) => one.text ?? '').join('');
  const calls = blocks.flatMap(callOf);
  const message = messageOf(text, calls, asFunction);
  const reason = finishReasons.get(stopReason ?? '') ?? stopReason ?? null;
  const choice = { index: 0, finish_reason: reason, stop_reason: more?.stop_sequence ?? null, message };
  const counted = converseUsage(usage);
  const warnings = [...endWarnings(reason, text === '' && calls.length === 0), ...counted.warnings];
  return {
    ok: true,
    reply: replyOf(api === 'chat' ? message : text, counted.usage, warnings, { choices: [choice] }),
  };
}

/** What came from the cache and went to it stands beside the tokens that were sent, and is added to them here. */
function converseUsage(given: unknown): CountedUsage {
  if (typeof given !== 'object' || given === null) return readUsage(given ?? undefined);
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens } = given as JsonObject;
  const counts = {
    inputTokens,
    outputTokens,
    cacheRead: cacheReadInputTokens ?? 0,
    cacheWrite: cacheWriteInputTokens ?? 0,
  };
  const [wrong] = Object.entries(counts).filter(([, count]) => !isCount(count));
  if (wrong !== undefined) return doubted(`usage.${wrong[0]}`, wrong[1]);
  const { cacheRead, cacheWrite } = counts as Readonly<Record<string, number>>;
  return readUsage({
    prompt_tokens: Number(inputTokens) + Number(cacheRead) + Number(cacheWrite),
    completion_tokens: Number(outputTokens),
    prompt_tokens_details: { cached_tokens: Number(cacheRead), cache_write_tokens: Number(cacheWrite) },
  });
}

interface Called {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

function callOf({ toolUse }: Block): readonly Called[] {
  if (toolUse === undefined || toolUse === null) return [];
  return [{ id: toolUse.toolUseId, name: toolUse.name, arguments: stringifyJson((toolUse.input ?? {}) as JsonValue) }];
}

function messageOf(text: string, calls: readonly Called[], asFunction: boolean): JsonObject {
  const content = text === '' && calls.length > 0 ? null : text;
  const [first] = calls;
  if (first === undefined) return { role: 'assistant', content };
  if (asFunction)
    return { role: 'assistant', content, function_call: { name: first.name, arguments: first.arguments } };
  const toolCalls = calls.map(({ id, ...one }) => ({ id, type: 'function', function: one }));
  return { role: 'assistant', content, tool_calls: toolCalls };
}
