import type { IndexDocument } from '../embedded-index/index-document.ts';

/** What a file gave: its documents, and a sentence for each that could not be read. */
export interface FileDocuments {
  readonly documents: readonly IndexDocument[];
  /** With the line where there is one: `line 3 is no JSON …`. */
  readonly problems: readonly string[];
}
