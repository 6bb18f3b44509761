import type { Message } from './state.ts';

export function agent({ round, settled }: { round: number; settled: number }): Message {
  if (round >= settled) return { content: `settled in round ${round}`, function_call: null };
  return { content: null, function_call: { name: `find_${round}`, arguments: `{"round": ${round}}` } };
}
