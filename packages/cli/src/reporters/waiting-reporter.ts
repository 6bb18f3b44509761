import type { Reporter } from '@unroll/project';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';

const patienceMs = 10_000;

/**
 * A run of one row or node says on stderr, every ten seconds in which nothing was heard of it, which nodes it waits for: a slow
 * model and one that never answers look the same otherwise. Runs over data have their own progress.
 */
export function createWaitingReporter(
  { json, quiet }: OutputSettings,
  io: Pick<Io, 'now' | 'every' | 'stderr'>,
): Reporter {
  if (json === true || quiet === true) return () => undefined;
  const running = new Map<string, number>();
  let heardAt = 0;
  let stop: (() => void) | undefined;
  const look = (): void => {
    const now = io.now();
    if (running.size === 0 || now - heardAt < patienceMs) return;
    heardAt = now;
    io.stderr.write(`${waitingText(running, now)}\n`);
  };
  return (event) => {
    if (event.type === 'run-started' && event.kind !== 'dataset') {
      running.clear();
      stop?.();
      stop = io.every(1000, look);
    } else if (event.type === 'run-ended') {
      stop?.();
      stop = undefined;
    }
    if (stop === undefined) return;
    heardAt = io.now();
    if (event.type === 'node-started') running.set(event.node, heardAt);
    else if (event.type === 'node-ended') running.delete(event.run.node);
  };
}

/** `waiting for agent_1 (20 s), search (11 s)`. */
function waitingText(running: ReadonlyMap<string, number>, now: number): string {
  const nodes = [...running].map(([node, since]) => `${node} (${Math.round((now - since) / 1000)} s)`);
  return `waiting for ${nodes.join(', ')}`;
}
