import type { Studio } from '../studio/studio.ts';
import type { Answers } from './answers.ts';

/** What an export of one file shows. */
export interface ExportedView {
  /** Address that is shown first, as `/runs/ID`. */
  readonly start: string;
  /** Of the document. */
  readonly title: string;
  /** Adds everything that a reader of it can ask for. */
  readonly gather: (into: Answers, studio: Studio) => Promise<void>;
}
