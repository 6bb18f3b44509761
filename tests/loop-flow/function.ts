import type { Message, State } from './state.ts';

export function call({ state, message }: { state: State; message: Message | null }): Partial<State> {
  if (message === null) return { finished: true, content: state.content ?? null };
  const { content, function_call: asked } = message;
  if (asked === null) return { finished: true, content };
  if (asked.name === 'find_1') throw new Error('there is no function find_1');
  return { ...state, function_results: [...state.function_results, { name: asked.name, content: ['found'] }] };
}
