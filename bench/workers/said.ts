import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

const lookMs = 100;

/** A process, and what it has written. */
export interface Said {
  readonly child: ChildProcess;
  text(): string;
  has(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

export function said(child: ChildProcess): Said {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece));
  return {
    child,
    text: () => text,
    async has(wanted) {
      while (!text.includes(wanted)) await wait(lookMs);
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
