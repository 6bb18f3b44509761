import { type JsonObject, type JsonValue, type NodeRun, type Plan, textOrJson } from '@unroll/engine';
import { answeringOutput, type ChatShape } from './chat-shape.ts';

/** What is said to a flow, in the form that its input takes. */
export function saidText(text: string, { input }: ChatShape, plan: Plan): JsonValue {
  return input.type === 'list' ? [textPart(text, plan)] : text;
}

export function textPart(text: string, { messageFormat }: Pick<Plan, 'messageFormat'>): JsonValue {
  return messageFormat === 'openai-vision' ? { type: 'text', text } : text;
}

/**
 * What a turn gave: where the answer is null, as when an agent hands control back, the outputs that tell why, or that the node
 * which answers was bypassed.
 */
export function answerOf(
  outputs: JsonObject,
  shape: ChatShape,
  nodes: readonly Pick<NodeRun, 'node' | 'status'>[],
): JsonValue {
  const output = answeringOutput(outputs, shape);
  if (output === undefined) return outputs;
  const answer = outputs[output] ?? null;
  if (answer !== null) return answer;
  const others = Object.entries(outputs).filter(([, value]) => value !== null);
  const isBypassed = nodes.some(({ node, status }) => node === shape.answeringNode && status === 'Bypassed');
  const said = isBypassed ? `(no answer: node "${shape.answeringNode}", which answers, was bypassed)` : '(no answer)';
  return [said, ...others.map(([name, value]) => `${name}: ${textOrJson(value)}`)].join('\n');
}
