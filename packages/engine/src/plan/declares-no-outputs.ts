import type { Plan } from './plan.ts';

/** Code and prompties that declare no outputs have one, which holds what they give: the members of that are the outputs of a row, whatever they are. */
export function declaresNoOutputs({
  outputs: [only, ...others],
  answersBy,
}: Pick<Plan, 'outputs' | 'answersBy'>): boolean {
  return answersBy !== undefined && only?.name === 'output' && others.length === 0;
}
