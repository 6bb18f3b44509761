/** What the look of a line says: a heading, and what stands behind it on the same line. */
export interface HeadingLine {
  /** From 1, the outermost. */
  readonly level: number;
  readonly heading: string;
  readonly rest: string;
}

const number = '[0-9０-９一二三四五六七八九十百千〇]+';
const partLevels: Readonly<Record<string, number>> = { 編: 1, 部: 1, 章: 2, 節: 3, 款: 4, 目: 5 };
const part = new RegExp(`^第${number}(編|部|章|節|款|目)(?:の${number})*(?:[\\s　:：]|$)`, 'u');
export const articleLevel = 6;
const article = new RegExp(`^(第${number}条(?:の${number})*(?:[（(][^）)]{1,40}[）)])?)[\\s　]*(.*)$`, 'u');
const numbered = /^([0-9０-９]{1,2}(?:[.．－‐-][0-9０-９]{1,3})*)[.．]?[\s　]+\S/u;
const marked = /^(?:[■◆●▼□◇▶☆★]\s*\S.*|【[^】]+】)$/u;
const english = /^(?:chapter|section|part|appendix|article)\s+[0-9ivxlc]+\b/iu;

/** A sentence, or a stretch of one, is no heading. */
const longest = 60;
const sentenceEnd = /[。、，,;；.．]$/u;

/**
 * A line of plain text as a heading, as such lines are written in Japanese and English: `第2章 総則`, `第27条（第三者提供の制限）`,
 * `1-2 適用対象`, `１．はじめに`, `■ 注意`, `【概要】`, `2.1 Scope`, `Chapter 3`. Undefined where it looks like none.
 */
export function headingLine(line: string): HeadingLine | undefined {
  const text = line.trim();
  const found = article.exec(text);
  if (found !== null) return articleHeading(found[1] ?? '', found[2] ?? '');
  if (text.length > longest || sentenceEnd.test(text)) return undefined;
  const level = levelOf(text);
  return level === undefined ? undefined : { level, heading: text, rest: '' };
}

/** `第27条の規定により…` speaks of an article and is none. */
function articleHeading(heading: string, rest: string): HeadingLine | undefined {
  return /^[のにはがをと、及若又第]/u.test(rest) ? undefined : { level: articleLevel, heading, rest };
}

function levelOf(text: string): number | undefined {
  const unit = part.exec(text)?.[1];
  if (unit !== undefined) return partLevels[unit];
  const figures = numbered.exec(text)?.[1];
  if (figures !== undefined) return Math.min(6, figures.split(/[.．－‐-]/u).length);
  if (english.test(text)) return 1;
  return marked.test(text) ? 5 : undefined;
}
