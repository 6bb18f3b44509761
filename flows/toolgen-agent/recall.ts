import { readFileSync } from 'node:fs';
import { type ActionDocument, type RecalledCall, readRecordedAnswers, recallAnswer } from '@unroll/nodes/toolgen';

interface Inputs {
  readonly document: ActionDocument;
  readonly written: string | null;
}

/** What to ask of the virtual APIs, and the answer that was recorded for it. */
export default function recall({ document, written }: Inputs): RecalledCall {
  const recorded = readRecordedAnswers(readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8'));
  return recallAnswer(document, written ?? '{}', recorded);
}
