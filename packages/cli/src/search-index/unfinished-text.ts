import { shellWord } from '@unroll/engine/values';

/** Of an index file into which documents are being put, or were when a build was killed. */
export function unfinishedText(index: string): string {
  return `a build of ${index} failed, was stopped, or is under way: not all documents are in it as they are (flow index update ${shellWord(index)} goes on)`;
}
