import type { ParsedStep } from './parse-step.ts';
import type { StartedTurn } from './start-turn.ts';
import type { OrchestrationState } from './turn-state.ts';

export function isStarted(output: unknown): output is StartedTurn {
  return typeof output === 'object' && output !== null && 'pre' in output && 'agent' in output;
}

export function isParsed(output: unknown): output is ParsedStep {
  return typeof output === 'object' && output !== null && 'rationale' in output && 'type' in output;
}

export function isActed(
  output: unknown,
): output is OrchestrationState & { readonly observation: NonNullable<OrchestrationState['observation']> } {
  return typeof output === 'object' && output !== null && 'steps' in output && 'observation' in output;
}
