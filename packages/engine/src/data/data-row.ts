import type { JsonObject } from '../value/json.ts';

/** One line of a dataset; a line that cannot be read says why, and where (`data.jsonl:7: …`). */
export type DataRow =
  | { readonly line: number; readonly values: JsonObject }
  | { readonly line: number; readonly problem: string };
