import { type Diagnostic, type NodeDefinition, PrepareError } from '@unroll/engine';
import { nodeInputError } from '../errors/tool-error.ts';
import type { PromptTemplate } from '../prompt/prompt-template.ts';
import { type Api, type ApiParameters, toolParameters } from './api-parameters.ts';

/** What `refuseDuplicates` refuses on every connection. */
export function duplicateMistakes(
  { name: unreadyNode }: NodeDefinition,
  { file, template }: PromptTemplate,
  api: Api,
): readonly Diagnostic[] {
  const { azure, openai, plain } = toolParameters;
  const isTaken = (name: string): boolean => [azure, openai, plain].every((of) => Object.hasOwn(of[api], name));
  return template.variables
    .filter(({ name }) => isTaken(name) || name === 'connection')
    .map(({ name, place: { start, end } }) => ({
      severity: 'error',
      code: 'FLOW_WRONG_VALUE',
      message: `the template reads "${name}", which is a parameter of the model`,
      unreadyNode,
      span: { file, start, end },
      help: 'give the template another name for it',
    }));
}

/** @throws PrepareError */
export function refuseDuplicates(
  node: NodeDefinition,
  variables: ReadonlySet<string>,
  parameters: ApiParameters,
  tool: string,
): void {
  const twice = [...variables].filter((name) => Object.hasOwn(parameters, name) || name === 'connection');
  if (twice.length === 0) return;
  const names = twice.map((name) => `'${name}'`).join(', ');
  throw new PrepareError(
    nodeInputError(
      `Invalid inputs {${names}} in prompt template of node ${node.name}. These inputs are duplicated with the parameters of ${tool}.`,
    ),
  );
}
