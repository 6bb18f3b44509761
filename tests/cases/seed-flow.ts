import type { JsonObject, JsonValue } from '@unroll/engine';
import type { CaseFlow } from './run-case-flow.ts';

/** The flow of the reference system with scripted agents, as `s1_dag.jsonl` writes it: one message an agent. */
export function seedFlow(messages: readonly JsonValue[], functions: JsonObject): CaseFlow {
  const pairs = messages.flatMap((message, index) => {
    const number = index + 1;
    const state = index === 0 ? 'format_input.output' : `functions_${index}.output`;
    return [
      {
        name: `agent_${number}`,
        fn: { kind: 'const', value: message },
        inputs: { input: reference(state) },
        activate: { when: reference(`${state}.finished`), is: false },
      },
      {
        name: `functions_${number}`,
        fn: { kind: 'seed_functions', functions },
        inputs: { inputs: reference(state), agent_message: reference(`agent_${number}.output`) },
      },
    ];
  });
  const formatInput = {
    name: 'format_input',
    fn: { kind: 'state_init' },
    inputs: { query: reference('inputs.query') },
  };
  const end = `functions_${messages.length}.output`;
  return { inputs: { query: {} }, nodes: [formatInput, ...pairs], outputs: { state: reference(end) } };
}

export function callMessage(name: string, query: string): JsonObject {
  return { role: 'assistant', content: null, function_call: { name, arguments: JSON.stringify({ query }) } };
}

export function answerMessage(content: string): JsonObject {
  return { role: 'assistant', content, function_call: null };
}

function reference(place: string): string {
  return `\${${place}}`;
}
