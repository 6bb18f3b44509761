import type { JsonObject, JsonValue, NodeError } from '@unroll/engine';
import { readFunctionCall, readToolChoice, validateFunctions, validateTools } from '@unroll/nodes/building-blocks';

/** As Python takes it: a text is true whatever it says. */
export function isTruthy(value: JsonValue): boolean {
  return typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : Boolean(value);
}

type Offered = { readonly choice: JsonObject } | { readonly error: NodeError };

/** Which of the tools, or functions, the model is to call: that is its own to say where nothing does. */
export function offeredOf({ tools, tool_choice = null, functions, function_call = null }: JsonObject): Offered {
  if (tools !== undefined) return chosen('tool_choice', validateTools(tools), readToolChoice(tool_choice));
  if (functions === undefined) return { choice: {} };
  return chosen('function_call', validateFunctions(functions), readFunctionCall(function_call));
}

function chosen(name: string, problem: NodeError | undefined, read: ReturnType<typeof readToolChoice>): Offered {
  if (problem !== undefined) return { error: problem };
  return 'error' in read ? read : { choice: { [name]: read.value } };
}
