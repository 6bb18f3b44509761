import type { AgentOperation } from './action-group.ts';

/** A function as the prompt shows it to the model. */
export interface PromptFunction {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly (readonly ['required' | 'optional', string, string, string])[];
  readonly returns: string;
  readonly raises: readonly string[];
}

/** The function the agent asks the user with; offered only when user input is enabled. */
const askUser: PromptFunction = {
  name: 'user::askuser',
  description: "Ask a user when you don't have parameter values for a function",
  arguments: [['required', 'askuser', 'string', 'The information to ask from user']],
  returns: 'string: The information received from user',
  raises: [],
};

/** The functions of the `$functions$` placeholder: `VERB::group::operation`, with required arguments first as written. */
export function promptFunctions(operations: readonly AgentOperation[], userInput: boolean): readonly PromptFunction[] {
  const own = operations.map((one) => ({
    name: `${one.verb}::${one.group}::${one.operation}`,
    description: one.description,
    arguments: one.arguments.map(
      ({ isRequired, name, type, description }) =>
        [isRequired ? 'required' : 'optional', name, type, description] as const,
    ),
    returns: one.returns,
    raises: one.raises,
  }));
  return userInput ? [...own, askUser] : own;
}

/** The text of the `$functions$` placeholder. */
export function functionSection(functions: readonly PromptFunction[]): string {
  return `<functions>\n${functions.map(functionText).join('\n')}\n</functions>`;
}

function functionText(shown: PromptFunction): string {
  const lines = (kind: 'required' | 'optional'): readonly string[] =>
    shown.arguments
      .filter(([given]) => given === kind)
      .map(([, name, type, description]) => `${name} (${type}): ${description}`);
  return [
    '<function>',
    `<function_name>${shown.name}</function_name>`,
    `<function_description>${shown.description}</function_description>`,
    ...lines('required').map((line) => `<required_argument>${line}</required_argument>`),
    ...lines('optional').map((line) => `<optional_argument>${line}</optional_argument>`),
    `<returns>${shown.returns}</returns>`,
    ...shown.raises.map((line) => `<raises>${line}</raises>`),
    '</function>',
  ].join('\n');
}
