import { doubtOfPassage } from './doubt-of-passage.ts';
import { readWords } from './held-words.ts';
import { explainJudgement, isSettled, judgeResults, judgeWhole, nearestOf } from './judge-results.ts';
import type { Passage } from './read-passages.ts';
import { saysNothing } from './word-weights.ts';

/** Judges hits, and keeps why: what is told of an answer beside it. */
export class Judging {
  private readonly reasons: string[] = [];
  private readonly subject;

  /** @param instructions what all that is searched is on stands in them */
  constructor(instructions = '') {
    this.subject = readWords(instructions);
  }

  judge(question: string, passages: readonly Passage[]): Passage | undefined {
    if (passages.length > 0) this.reasons.push(explainJudgement(question, passages, this.subject));
    return judgeResults(question, passages, this.subject);
  }

  /** Whether what `judge` finds is an answer without a doubt, or fits so well that no better one is to be expected. */
  isSettled(question: string, passages: readonly Passage[]): boolean {
    const found = judgeResults(question, passages, this.subject);
    if (found === undefined) return false;
    return this.doubt(question, question, found, passages) === '' || isSettled(question, passages, this.subject);
  }

  /** What each part of a question is answered by: one passage for all where it holds all that is asked for. */
  judgeParts(
    question: string,
    parts: readonly string[],
    passages: readonly Passage[],
  ): readonly (Passage | undefined)[] {
    const best = judgeResults(question, passages, this.subject);
    const isWhole = best !== undefined && this.doubt(question, question, best, passages) === '';
    if (!isWhole && judgeWhole(question, passages, this.subject) === undefined)
      return parts.map((part) => this.judge(part, passages));
    const whole = this.judge(question, passages);
    return parts.map(() => whole);
  }

  /**
   * Why a passage that was found may be no answer.
   *
   * @param asked the part of the question that it was taken for
   * @param passages all that were found
   */
  doubt(question: string, asked: string, passage: Passage, passages: readonly Passage[]): string {
    return doubtOfPassage(question, asked, passage, saysNothing(this.subject, passage, passages));
  }

  /** Of passages that do not answer the one to name. */
  nearest(question: string, passages: readonly Passage[]): Passage | undefined {
    return nearestOf(question, passages, this.subject);
  }

  /** A line for each judgement; empty where nothing was judged. */
  get explanation(): string {
    return [...new Set(this.reasons)].join('\n');
  }
}
