import { fromLines, type NodeError, type NodeRun, type RowRun, serviceText } from '@unroll/engine';
import type { FailureGroup } from '../host/run-progress.ts';

export interface FailureGroups {
  /** Of an aggregation node; what failed in a row is told by the row. */
  aggregation(run: NodeRun): void;
  row(row: Pick<RowRun, 'line' | 'repeat' | 'error'>): void;
  /** The commonest first. */
  all(): readonly FailureGroup[];
}

/** Different messages of a group that are counted. */
export const mostMessages = 100;

export function groupFailures(): FailureGroups {
  const groups = new Map<string, FailureGroup>();
  const messages = new Map<string, Set<string>>();
  const add = (failure: Omit<FailureGroup, 'count' | 'messages'>): void => {
    const key = `${failure.node ?? ''}\0${failure.code}`;
    const known = groups.get(key);
    const first = known !== undefined && isBefore(known.firstRow, failure.firstRow) ? known : failure;
    const said = messages.get(key) ?? new Set();
    messages.set(key, said);
    if (said.size < mostMessages) said.add(failure.message);
    groups.set(key, { ...first, count: (known?.count ?? 0) + 1, messages: said.size });
  };
  return {
    aggregation({ node, status, error }) {
      if (status !== 'Failed' || error === undefined) return;
      const { code, message } = raisedIn(error);
      add({ node, code, message, retryable: error.retryable });
    },
    row({ line, repeat, error }) {
      if (error === undefined) return;
      const { code, message } = raisedIn(error);
      const node = error.node === undefined ? {} : { node: error.node };
      add({ ...node, code, message, retryable: error.retryable, firstRow: { line, repeat: repeat ?? 0 } });
    },
    all: () => [...groups.values()].sort((one, other) => other.count - one.count),
  };
}

function raisedIn(error: NodeError): { readonly code: string; readonly message: string } {
  const { code, message } = error.cause ?? error;
  const service = serviceText(error.service ?? {}, message);
  const said = [message, ...fromLines(error)].join('\n');
  return { code, message: service === '' ? said : `${said} (${service})` };
}

function isBefore(one: FailureGroup['firstRow'], other: FailureGroup['firstRow']): boolean {
  if (one === undefined || other === undefined) return true;
  return one.line < other.line || (one.line === other.line && one.repeat <= other.repeat);
}
