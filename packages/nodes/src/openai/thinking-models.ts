/**
 * Families of OpenAI's models that think before they answer, by their names; a deployment on Azure may have any name, and has often
 * that of the model without its point: `gpt-35-turbo`, `gpt-41`.
 */
const families = /^(o[1-9]|gpt-[5-9])(?!.*chat)/;

/** Whether a model is known to think before it answers: it takes other parameters than the ones before it. */
export function isThinkingModel(model: string): boolean {
  return families.test(model);
}
