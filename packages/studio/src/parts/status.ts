import type { GraphNode, RunLine } from '@unroll/project/studio-contract';
import type { Shape } from './mark.tsx';

type Status = RunLine['status'] | NonNullable<GraphNode['status']> | 'cached';

const shapes: Readonly<Record<Status, Shape>> = {
  Completed: 'completed',
  Bypassed: 'bypassed',
  Failed: 'failed',
  Canceled: 'canceled',
  NotRun: 'not-run',
  Unfinished: 'unfinished',
  Running: 'running',
  Unreadable: 'failed',
  cached: 'cached',
};

export function statusShape(status: Status): Shape {
  return shapes[status];
}

/** What a node is, by its type as written. */
export function kindShape(type: string): Shape {
  if (type === 'llm' || type === 'prompt' || type === 'agent') return 'llm';
  if (type === 'lookup' || type === 'tool_lookup') return 'search';
  if (type === 'loop') return 'loop';
  return type.startsWith('tool') ? 'tools' : 'code';
}
