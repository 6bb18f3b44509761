import { explainJudgement, judgeResults, judgeWhole, type Passage } from './judge-results.ts';

/** Judges hits, and keeps why: what is told of an answer beside it. */
export class Judging {
  private readonly reasons: string[] = [];

  judge(question: string, passages: readonly Passage[]): Passage | undefined {
    if (passages.length > 0) this.reasons.push(explainJudgement(question, passages));
    return judgeResults(question, passages);
  }

  /** What each part of a question is answered by: one passage for all where it holds all that is asked for. */
  judgeParts(
    question: string,
    parts: readonly string[],
    passages: readonly Passage[],
  ): readonly (Passage | undefined)[] {
    if (judgeWhole(question, passages) === undefined) return parts.map((part) => this.judge(part, passages));
    const whole = this.judge(question, passages);
    return parts.map(() => whole);
  }

  /** A line for each judgement; empty where nothing was judged. */
  get explanation(): string {
    return [...new Set(this.reasons)].join('\n');
  }
}
