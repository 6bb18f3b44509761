import { addUsage, type JsonObject, type JsonValue, type NodeRun, textOrJson, type Usage } from '@unroll/engine';
import { answeringOutput, type ChatShape, type ServedRow, whatCut } from '@unroll/project';

/** What stands in every part of an answer. */
export interface CompletionHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

/** A row as an answer of OpenAI's chat API. */
export function completionJson(head: CompletionHead, row: ServedRow, shape: ChatShape): JsonObject {
  const message = { role: 'assistant', content: answerText(row, shape), refusal: null };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(row, shape) }],
    usage: usageJson(row.nodes),
  };
}

/** A part of an answer that is streamed. */
export function chunkJson(head: CompletionHead, delta: JsonObject, finish: string | null = null): JsonObject {
  return {
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

/** The last part, where usage is asked for. */
export function usageChunkJson(head: CompletionHead, { nodes }: ServedRow): JsonObject {
  return { ...chunkJson(head, {}), choices: [], usage: usageJson(nodes) };
}

/** A loop that reached its bound was cut off, and so may be what a model said. */
export function finishReason({ row, nodes }: ServedRow, { answeringNode }: ChatShape): string {
  if (row.unfinished !== undefined) return 'length';
  const answering = nodes.find(({ node }) => node === answeringNode);
  return (answering === undefined ? undefined : whatCut(answering)) ?? 'stop';
}

/** The output that is the answer; what is no text as JSON; null where there is none, as behind a node that was bypassed. */
export function answerText({ row }: ServedRow, shape: ChatShape): string | null {
  const output = answeringOutput(row.outputs, shape);
  const answer: JsonValue = output === undefined ? row.outputs : (row.outputs[output] ?? null);
  return answer === null ? null : textOrJson(answer);
}

/** Tokens of all nodes. */
function usageJson(nodes: readonly NodeRun[]): JsonObject {
  const none: Usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  const sum = nodes.reduce((total, { usage }) => (usage === undefined ? total : addUsage(total, usage)), none);
  return {
    prompt_tokens: sum.promptTokens,
    completion_tokens: sum.completionTokens,
    total_tokens: sum.totalTokens,
  };
}
