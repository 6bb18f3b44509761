import { type Evaluate, located } from './render-state.ts';

/** Runs `evaluate`; an error that has no place yet gets that of `node`. */
export function placed(node: { readonly start: number; readonly end: number }, evaluate: Evaluate): Evaluate {
  return (frame) => {
    try {
      return evaluate(frame);
    } catch (error) {
      throw located(error, node);
    }
  };
}
