import { currentTrace, type Tool } from '@unroll/engine';

/** A tool whose calls are told to the trace that they belong to, where one is recorded. */
export function tracedTool<Kind extends Tool>(tool: Kind): Kind {
  return {
    ...tool,
    call: (given, call) => {
      const { calls } = currentTrace() ?? {};
      if (calls === undefined) return tool.call(given, call);
      return calls.toolCall({ tool, given, id: call.id, redactor: call.redactor }, () => tool.call(given, call));
    },
  };
}
