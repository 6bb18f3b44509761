import type { AskSecret } from '@unroll/project/kept-connections';
import type { Io } from '../io.ts';

/** Asks whoever sits at the terminal; what is typed is not shown. */
export function askSecret(io: Io): AskSecret {
  return io.isInteractive ? (question) => io.ask(question, { isHidden: true }) : undefined;
}
