import type { NodeStatus } from '@unroll/engine';

/** What is drawn of a flow, before any layout: the same for Mermaid and SVG. */
export interface Picture {
  readonly title: string;
  readonly direction: 'down' | 'right';
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** Outer groups before the groups in them. */
  readonly groups: readonly Group[];
}

export interface Box {
  readonly id: string;
  readonly label: string;
  readonly kind: 'input' | 'output' | 'node';
  /** Node type as written (`llm`, `python` …); the value type of an input or output. */
  readonly type: string;
  /** Second line: template, code file or index. */
  readonly detail?: string;
  readonly status?: BoxStatus;
  /** Innermost group it lies in. */
  readonly group?: string;
  readonly aggregation: boolean;
}

/** How it ended; `Stepped`: a folded node some of whose instances ran and some were bypassed. */
export type BoxStatus = NodeStatus | 'Stepped';

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** `condition`: the target may be bypassed; `again`: back to the first node of a folded loop. */
  readonly kind: 'data' | 'condition' | 'again';
  readonly label?: string;
}

export interface Group {
  readonly id: string;
  readonly label: string;
  readonly parent?: string;
}
