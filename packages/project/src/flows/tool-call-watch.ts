import { isMapping, type JsonValue, type Plan } from '@unroll/engine';
import { notify } from '../host/project-host.ts';
import type { AnswerWatch } from './answer-watch.ts';

/**
 * Watches whether agents whose models are offered tools call any at their first turn. Where none does in a whole run, the service
 * may not honour tools at all, and what the agent answers was never looked up.
 */
export function watchToolCalls(plan: Plan): AnswerWatch {
  const connections = new Map(
    plan.nodes
      .filter(({ instance, definition }) => instance?.iteration === 1 && definition.connection !== 'offline')
      .map(({ name, definition }) => [name, definition.connection] as const),
  );
  const silent = new Map<string, number>();
  const calling = new Set<string>();
  return {
    nodeEnded({ node, status, output }) {
      if (status !== 'Completed' || !connections.has(node) || output === undefined) return;
      const calls = callsIn(output);
      if (calls === true) calling.add(node);
      else if (calls === false) silent.set(node, (silent.get(node) ?? 0) + 1);
    },
    tell(host) {
      for (const [node, rows] of silent) {
        if (calling.has(node)) continue;
        const where = rows === 1 ? '' : ` in ${rows} rows`;
        const name = connections.get(node) ?? 'NAME';
        notify(host, {
          kind: 'warning',
          message: `the model of ${node} was offered tools and answered its first turn without a call${where}\n  flow connection test ${name} --model MODEL says whether the service honours tools`,
        });
      }
    },
  };
}

/** Whether a message calls something; undefined for what is no message, as the texts are of a model that was offered nothing. */
function callsIn(output: JsonValue): boolean | undefined {
  if (!isMapping(output) || output['role'] !== 'assistant') return undefined;
  const { tool_calls: tools = null, function_call: call = null } = output;
  return call !== null || (Array.isArray(tools) && tools.length > 0);
}
