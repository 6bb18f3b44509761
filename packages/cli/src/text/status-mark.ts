import type { NodeStatus } from '@unroll/engine';
import type { Paint, Style } from './style.ts';

const marks: Readonly<Record<NodeStatus, string>> = {
  Completed: '✓',
  Bypassed: '-',
  Failed: '✗',
  Canceled: '■',
  NotRun: '·',
};

const words: Readonly<Record<NodeStatus, string>> = {
  Completed: 'completed',
  Bypassed: 'bypassed',
  Failed: 'failed',
  Canceled: 'stopped',
  NotRun: 'not run',
};

/** One cell that says how a node ended, painted. */
export function statusMark(status: NodeStatus, style: Style): string {
  return statusPaint(status, style)(marks[status]);
}

export function statusWord(status: NodeStatus): string {
  return words[status];
}

export function statusPaint(status: NodeStatus, style: Style): Paint {
  if (status === 'Completed') return style.good;
  if (status === 'Failed') return style.bad;
  return status === 'Canceled' ? style.warn : style.dim;
}
