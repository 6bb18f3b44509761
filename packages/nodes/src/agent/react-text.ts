import type { JsonObject, JsonValue, Tool } from '@unroll/engine';
import type { ModelTurn } from './model-turn.ts';

const finalAnswer = 'Final Answer:';
const action = /Action\s*\d*\s*:\s*([^\n]*)\s*Action\s*\d*\s*Input\s*\d*\s*:[ \t]*([\s\S]*)/;

/**
 * Reads a text of the form `Thought: … / Action: name / Action Input: text`, or `… Final Answer: text`. Both in one, or
 * neither, cannot be read (ReAct, Yao et al. 2022; the words as LangChain's prompts teach them).
 */
export function readReact(text: string): ModelTurn {
  const [, name = '', input = ''] = action.exec(text) ?? [];
  const hasAnswer = text.includes(finalAnswer);
  if (name !== '' && hasAnswer) {
    return {
      kind: 'unreadable',
      log: `Parsing LLM output produced both a final answer and a parse-able action:: ${text}`,
    };
  }
  if (name !== '') {
    const [given = ''] = input.split('\nObservation:');
    return { kind: 'calls', calls: [{ name: name.trim(), arguments: unquoted(given.trim()) }], said: { log: text } };
  }
  if (!hasAnswer) return { kind: 'unreadable', log: `Could not parse LLM output: ${text}` };
  const [, answer = ''] = text.split(finalAnswer);
  return { kind: 'answer', status: 'answered', content: answer.trim() };
}

function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}

/**
 * The arguments that a text stands for: a JSON object as it is, any other text as the one argument the tool takes. An object that
 * has nothing of a tool of one text is that text.
 * undefined where the tool takes more than one.
 */
export function argumentsFromText(
  text: string,
  { parameters }: Pick<Tool, 'parameters'>,
): Record<string, JsonValue> | undefined {
  const properties = (parameters['properties'] ?? {}) as Readonly<Record<string, JsonValue>>;
  const names = Object.keys(properties);
  const parsed = objectIn(text);
  const [alone] = names.length === 1 ? names : [];
  const isText = alone !== undefined && (properties[alone] as JsonObject | null)?.['type'] === 'string';
  if (parsed !== undefined && !(isText && !Object.hasOwn(parsed, alone))) return parsed;
  const required = Array.isArray(parameters['required']) ? (parameters['required'] as readonly JsonValue[]) : [];
  const [only] = required.length === 1 ? required : [];
  const name = alone ?? only;
  return typeof name === 'string' ? { [name]: text } : undefined;
}

function objectIn(text: string): Record<string, JsonValue> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, JsonValue>;
  } catch {
    return undefined;
  }
}

/** What the prompt shows of a step: what the model wrote, then what came back, then where it goes on. */
export function reactStep(log: string, observation: string): string {
  return `${log}\n\nObservation: ${observation}\nThought: `;
}

/** The tools as the template's `tool_list` shows them: `name: description`, one a line. */
export function toolList(tools: readonly Pick<Tool, 'name' | 'description'>[]): string {
  return tools.map(({ name, description }) => `${name}: ${description}`).join('\n');
}
