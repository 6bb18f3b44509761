import type { Values } from '../value/json.ts';

/** One line of a dataset; a line that cannot be read says why, and where (`data.jsonl:7: …`). */
export type DataRow =
  | { readonly line: number; readonly values: Values }
  | { readonly line: number; readonly problem: string };
