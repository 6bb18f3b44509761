import { cutText } from '@unroll/engine';
import type { ProjectEvent, Reporter } from '@unroll/project';
import { countOf } from '@unroll/project/words';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';

const patienceMs = 10_000;

/**
 * A run of one row or node says on stderr, every ten seconds in which nothing was heard of it, which nodes it waits for: a slow
 * model and one that never answers look the same otherwise. Runs over data have their own progress.
 */
export function createWaitingReporter(
  { json, quiet }: OutputSettings,
  io: Pick<Io, 'steadyNow' | 'every' | 'stderr'>,
): Reporter {
  if (json === true || quiet === true) return () => undefined;
  const running = new Map<string, Waiting>();
  let heardAt = 0;
  let stop: (() => void) | undefined;
  const look = (): void => {
    const now = io.steadyNow();
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
    // A call that fails leaves whoever looks in silence all the same.
    if (event.type !== 'call-failed') heardAt = io.steadyNow();
    if (stop !== undefined) follow(running, event, heardAt);
  };
}

function follow(running: Map<string, Waiting>, event: ProjectEvent, now: number): void {
  if (event.type === 'node-started') running.set(event.node, { since: now, failures: [] });
  else if (event.type === 'node-ended') running.delete(event.run.node);
  else if (event.type === 'call-failed') running.get(event.node)?.failures.push(event.error.message);
}

interface Waiting {
  readonly since: number;
  /** Messages of the calls that failed so far and were made again. */
  readonly failures: string[];
}

/** `waiting for agent_1 (20 s), search (11 s; 2 calls failed, the last one: no answer from …)`. */
function waitingText(running: ReadonlyMap<string, Waiting>, now: number): string {
  const nodes = [...running].map(([node, { since, failures }]) => {
    const time = `${Math.round((now - since) / 1000)} s`;
    const last = failures.at(-1);
    const failed =
      last === undefined ? '' : `; ${countOf(failures.length, 'call')} failed, the last one: ${oneLine(last)}`;
    return `${node} (${time}${failed})`;
  });
  return `waiting for ${nodes.join(', ')}`;
}

function oneLine(message: string): string {
  return cutText(message.replaceAll(/\s+/g, ' ').trim(), 200);
}
