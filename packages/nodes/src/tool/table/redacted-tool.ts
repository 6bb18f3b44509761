import { type Redactor, redactedError, type Tool } from '@unroll/engine';

/**
 * A tool that tells the model no secret: neither in what it says of itself nor in its results, whoever stands behind it. A service
 * may well answer with the headers it was asked with.
 */
export function redactedTool<Kind extends Tool>(tool: Kind, redactor: Redactor): Kind {
  return {
    ...tool,
    description: redactor.text(tool.description),
    parameters: redactor.value(tool.parameters),
    call: async (given, call) => {
      const result = await tool.call(given, call);
      const known = call.redactor ?? redactor;
      if (result.ok) return { ...result, content: known.value(result.content) };
      return { ...result, error: redactedError(result.error, known) };
    },
  };
}
