import { explainJudgement, judgeResults, type Passage } from './judge-results.ts';

/** Judges hits, and keeps why: what is told of an answer beside it. */
export class Judging {
  private readonly reasons: string[] = [];

  judge(question: string, passages: readonly Passage[]): Passage | undefined {
    if (passages.length > 0) this.reasons.push(explainJudgement(question, passages));
    return judgeResults(question, passages);
  }

  /** A line for each judgement; empty where nothing was judged. */
  get explanation(): string {
    return [...new Set(this.reasons)].join('\n');
  }
}
