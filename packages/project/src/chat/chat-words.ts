import { type JsonObject, type JsonValue, type Plan, textOrJson } from '@unroll/engine';
import type { ChatShape } from './chat-shape.ts';

/** What is said to a flow, in the form that its input takes. */
export function saidText(text: string, { input }: ChatShape, plan: Plan): JsonValue {
  return input.type === 'list' ? [textPart(text, plan)] : text;
}

export function textPart(text: string, { messageFormat }: Pick<Plan, 'messageFormat'>): JsonValue {
  return messageFormat === 'openai-vision' ? { type: 'text', text } : text;
}

/** What a turn gave: where the answer is null, as when an agent hands control back, the outputs that tell why. */
export function answerOf(outputs: JsonObject, { output }: ChatShape): JsonValue {
  if (output === undefined) return outputs;
  const answer = outputs[output] ?? null;
  if (answer !== null) return answer;
  const others = Object.entries(outputs).filter(([, value]) => value !== null);
  return ['(no answer)', ...others.map(([name, value]) => `${name}: ${textOrJson(value)}`)].join('\n');
}
