import type { State } from './state.ts';

export function sumUp({ state }: { state: State }): string {
  return `${state.function_results.length} results`;
}
