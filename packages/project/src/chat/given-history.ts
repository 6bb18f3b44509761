import { coerceInputs, type JsonObject, type JsonValue } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * What was said before a chat, as a row takes it: a list, or a text that is one in JSON; empty where nothing is given.
 *
 * @param name of the input that takes it; absent where the flow keeps no history
 * @throws ProjectFailure where it is no list
 */
export function givenHistory(name: string | undefined, inputs: JsonObject): readonly JsonValue[] {
  if (name === undefined || (inputs[name] ?? null) === null) return [];
  const read = coerceInputs([{ name, type: 'list', isChatInput: false }], inputs, undefined);
  const turns = read.ok ? read.inputs[name] : undefined;
  if (Array.isArray(turns)) return turns as readonly JsonValue[];
  throw new ProjectFailure(`the input "${name}" is no list of turns`, {
    help: 'A turn is {"inputs": {…}, "outputs": {…}}.',
    code: 'InputTypeError',
  });
}
