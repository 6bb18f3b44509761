/** Families of OpenAI's models that think before they answer, by their names; a deployment on Azure may have any name. */
const families = /^(o[1-9]|gpt-([5-9]|[1-9]\d))(?!.*chat)/;

/** Whether a model is known to think before it answers: it takes other parameters than the ones before it. */
export function isThinkingModel(model: string): boolean {
  return families.test(model);
}
