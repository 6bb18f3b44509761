import type { NodeError } from '../node/node-error.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

/** What happens to the nodes of a row. */
export type NodeEvent =
  | { readonly type: 'node-started'; readonly line: number; readonly repeat?: number; readonly node: string }
  | { readonly type: 'node-ended'; readonly line: number; readonly repeat?: number; readonly run: NodeRun }
  /** A call of a service failed, and is made again after a wait: `NodeCall.onCallFailed`. */
  | {
      readonly type: 'call-failed';
      readonly line: number;
      readonly repeat?: number;
      readonly node: string;
      readonly error: NodeError;
      readonly waitMs: number;
    }
  | {
      readonly type: 'text';
      readonly line: number;
      readonly repeat?: number;
      readonly node: string;
      readonly text: string;
      /** The output that takes a stream of the node; absent where the node tells the text while it runs. */
      readonly output?: string;
      /** The piece itself, where it is no text. */
      readonly item?: JsonValue;
    }
  /** All nodes have ended, and outputs are streams, whose pieces are told next: the others are known. */
  | {
      readonly type: 'streams-begin';
      readonly line: number;
      readonly repeat?: number;
      readonly outputs: JsonObject;
      /** Names of the outputs that are streams. */
      readonly streams: readonly string[];
    };

/** Everything that happens while rows run, in the order in which it happens; what prints is a listener. */
export type RunEvent =
  | NodeEvent
  | { readonly type: 'row-started'; readonly line: number; readonly repeat?: number }
  /** The row is recorded, where it is to be: one that was canceled is not. */
  | { readonly type: 'row-ended'; readonly row: RowRun }
  /** A row that the record holds already, with the values given for it now; absent where its line cannot be read. */
  | { readonly type: 'row-skipped'; readonly row: RowRun; readonly given?: JsonObject };
