import {
  isMapping,
  type JsonObject,
  type JsonValue,
  type NodeError,
  type Tool,
  type ToolCall,
  type ToolResult,
  textOrJson,
} from '@unroll/engine';
import type { AgentOptions } from './agent-options.ts';
import type { AgentStep } from './agent-state.ts';
import type { AskedCall } from './model-turn.ts';
import { argumentsFromText } from './react-text.ts';
import type { AnsweredCall } from './scratchpad.ts';

/** What became of one call. */
export interface MadeCall {
  readonly step: AgentStep;
  readonly answeredCall: AnsweredCall;
  /** The result is the agent's answer, where the turn made no other call. */
  readonly isDirect: boolean;
  /** Fails the row. */
  readonly failure?: NodeError;
}

/** How an agent's tools end it when they are asked for. */
export interface EndingCall {
  readonly call: AskedCall;
  readonly ends: NonNullable<Tool['ends']>;
}

export interface MadeCalls {
  /** In call order, whichever ended first. */
  readonly made: readonly MadeCall[];
  readonly endings: readonly EndingCall[];
}

/** Makes the calls of a turn, all at once; those that end the agent are not made. */
export async function makeCalls(
  calls: readonly AskedCall[],
  tools: readonly Tool[],
  options: AgentOptions,
  call: ToolCall,
): Promise<MadeCalls> {
  const chosen = calls.map((asked) => ({ asked, tool: findTool(asked.name, tools, options) }));
  const endings = chosen.flatMap(({ asked, tool }) =>
    tool?.ends === undefined || asked.problem !== undefined ? [] : [{ call: asked, ends: tool.ends }],
  );
  const others = chosen.filter(({ asked }) => !endings.some((ending) => ending.call === asked));
  const made = others.map(({ asked, tool }) => makeCall(asked, tool, tools, options, call));
  return { made: await Promise.all(made), endings };
}

function findTool(name: string, tools: readonly Tool[], { matchNames }: AgentOptions): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined || matchNames === 'exact') return exact;
  const alike = tools.filter((tool) => tool.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

async function makeCall(
  asked: AskedCall,
  tool: Tool | undefined,
  tools: readonly Tool[],
  options: AgentOptions,
  call: ToolCall,
): Promise<MadeCall> {
  const { name, problem } = asked;
  if (problem !== undefined) return unreadable(asked, 'MALFORMED_ARGUMENTS', problem, options);
  if (tool === undefined) {
    const names = tools.map((one) => one.name).join(', ');
    const text = filled(options.unknownTool, { name, tools: names });
    return madeCall(asked, text, { code: 'UNKNOWN_TOOL', message: `there is no tool "${name}"` });
  }
  const given = typeof asked.arguments === 'string' ? argumentsFromText(asked.arguments, tool) : asked.arguments;
  if (!isMapping(given)) return unreadable(asked, 'UNFIT_ARGUMENTS', 'the tool takes more than one argument', options);
  const called = { ...asked, arguments: given };
  const { id } = asked;
  const result = await tool.call(given, id === undefined ? call : { ...call, id });
  return judged(called, result, tool, options);
}

function judged(asked: AskedCall, result: ToolResult, tool: Tool, options: AgentOptions): MadeCall {
  const { requestId } = result;
  const id = requestId === undefined ? {} : { request_id: requestId };
  if (result.ok) {
    const made = madeCall(asked, textOrJson(result.content), undefined, result.content);
    return { ...made, step: { ...made.step, ...id }, isDirect: tool.returnDirect === true };
  }
  const { error, toModel } = result;
  if (error.code === 'UNFIT_ARGUMENTS') return unreadable(asked, error.code, error.message, options);
  const shown = filled(options.toolErrorText, { code: error.code, message: error.message });
  const made = madeCall(asked, shown, error);
  const failed = { ...made, step: { ...made.step, ...id } };
  // A call that was stopped since the time is up is no failure of its tool.
  const isFailure = !toModel && options.onToolError === 'fail' && error.code !== 'CANCELED';
  return isFailure ? { ...failed, failure: error } : failed;
}

const unreadableArguments = 'Invalid or incomplete tool input. Please try again.';
export const unreadableAnswer = 'Invalid or incomplete response';

/** Arguments that cannot be taken: told to the model where the author wants it, else the failure of the row. */
function unreadable(asked: AskedCall, code: string, problem: string, options: AgentOptions): MadeCall {
  const { handleParsingErrors: handle } = options;
  const usual = code === 'MALFORMED_ARGUMENTS' ? unreadableAnswer : unreadableArguments;
  const text = typeof handle === 'string' ? filled(handle, { problem }) : usual;
  const made = madeCall(asked, text, { code, message: problem });
  if (handle !== false) return made;
  const message = `The arguments that the model gave to "${asked.name}" cannot be taken: ${problem}`;
  return { ...made, failure: { code, message, retryable: false } };
}

function madeCall(
  { id, name, arguments: given }: AskedCall,
  text: string,
  error?: Pick<NodeError, 'code' | 'message'>,
  content: JsonValue = text,
): MadeCall {
  const step = {
    ...(id === undefined ? {} : { id }),
    name,
    arguments: given,
    content: [content] as const,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
  return { step, answeredCall: { ...(id === undefined ? {} : { id }), name, text }, isDirect: false };
}

/** A text with its `{names}` filled in, in one pass: what is put in is not looked at again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The text a call that ends the agent says: its one text argument, else all of them as JSON. */
export function endingText({ arguments: given }: AskedCall): JsonValue {
  if (!isMapping(given)) return given;
  const texts = Object.values(given as JsonObject).filter((value) => typeof value === 'string');
  return texts.length === 1 ? (texts[0] ?? '') : given;
}
