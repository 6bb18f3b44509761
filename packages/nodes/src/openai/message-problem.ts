import { didYouMean, isMapping, type JsonObject } from '@unroll/engine';

/** What is wrong with a model's message that somebody wrote, and would pass for an empty one. */
export function messageProblem(reply: JsonObject): string | undefined {
  const { tool_calls: calls = null, content = null } = reply;
  const misspelt = 'content' in reply ? undefined : Object.keys(reply).find((key) => didYouMean(key, ['content']));
  if (misspelt !== undefined) return `"reply" has the unknown key "${misspelt}": did you mean "content"?`;
  if (content !== null && typeof content !== 'string' && !Array.isArray(content))
    return '"reply.content" must be a text';
  if (calls !== null && !(Array.isArray(calls) && calls.every(isMapping)))
    return '"reply.tool_calls" must be a list of calls';
  return undefined;
}
