import type { JsonObject, JsonValue, Plan } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/** What of a flow makes it a chat. */
export interface ChatShape {
  /** Name and type of the input that takes what the user writes. */
  readonly input: { readonly name: string; readonly type: string };
  /** Input that takes the turns so far; absent where the flow keeps none. */
  readonly history: string | undefined;
  /** Output that is the answer; absent where the flow has several and marks none: all of them are shown. */
  readonly output: string | undefined;
  /** Node whose text is the answer, so that it can be shown as it comes. */
  readonly answeringNode: string | undefined;
}

/**
 * Prompt flow's rule: one input is marked `is_chat_input`, at most one output `is_chat_output`, and the history is marked
 * `is_chat_history` or called `chat_history`. A flow with one text input and no marks passes too, and has no history.
 *
 * @throws ProjectFailure when the flow is no chat
 */
export function chatShapeOf({ inputs, outputs, name }: Plan): ChatShape {
  const marked = inputs.filter(({ isChatInput }) => isChatInput);
  const history =
    inputs.find(({ isChatHistory }) => isChatHistory) ??
    inputs.find(({ name: input, isChatHistory = true }) => input === 'chat_history' && isChatHistory);
  const others = inputs.filter((input) => input !== history);
  const input = marked.length === 0 && others.length === 1 ? others[0] : marked[0];
  if (marked.length > 1) {
    const names = marked.map((one) => one.name).join(', ');
    throw notAChat(name, `several inputs are marked is_chat_input: ${names}`, 'Leave the mark on one of them.');
  }
  if (input === undefined) {
    const names = others.map((one) => one.name).join(', ');
    throw notAChat(
      name,
      'no input is marked is_chat_input',
      `Write is_chat_input: true at the input that takes what the user says${names === '' ? '' : `: ${names}`}.`,
    );
  }
  refuseBoth(name, input.name, history?.name);
  const answers = outputs.filter(({ isChatOutput }) => isChatOutput);
  if (answers.length > 1) throw notAChat(name, 'several outputs are marked is_chat_output', 'Leave the mark on one.');
  const output = answers[0] ?? (outputs.length === 1 ? outputs[0] : undefined);
  const binding = output?.binding;
  return {
    input,
    history: history?.name,
    output: output?.name,
    answeringNode: binding?.kind === 'node-output' && binding.pathText === '' ? binding.nodeName : undefined,
  };
}

/** What was said would be overwritten by what was said before. */
function refuseBoth(flow: string, input: string, history: string | undefined): void {
  if (input !== history) return;
  throw notAChat(
    flow,
    `the input "${input}" is marked as what the user says and takes the turns so far`,
    'Give the flow an input for each; one that is called chat_history takes no turns with is_chat_history: false.',
  );
}

/** The output that is the answer, of those that a turn gave; undefined where it is all of them. Code that declares none may give an `answer`. */
export function answeringOutput(outputs: JsonObject, { output }: Pick<ChatShape, 'output'>): string | undefined {
  if (output === undefined || Object.hasOwn(outputs, output)) return output;
  return typeof outputs['answer'] === 'string' ? 'answer' : undefined;
}

/** A turn as the history of a flow holds it. */
export function historyItem({ input }: ChatShape, said: JsonValue, outputs: JsonObject): JsonValue {
  return { inputs: { [input.name]: said }, outputs };
}

function notAChat(name: string, reason: string, help: string): ProjectFailure {
  return new ProjectFailure(`${name} is no chat flow: ${reason}`, { code: 'NoChatFlow', help });
}
