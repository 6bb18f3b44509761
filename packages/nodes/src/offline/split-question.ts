import { yesOrNo } from './asked-number.ts';
import { contentWords } from './content-words.ts';

/**
 * The questions that are asked in one breath: `Must we tell? Whom?`, `A の手数料と B の期限`, `the fee for A, and the deadline of B`.
 * A joint parts a sentence only where both sides say enough to be asked alone, and nothing is compared.
 */
export function splitQuestion(question: string): readonly string[] {
  const sentences = (question.match(/[^?？]+[?？]+/gu) ?? [question]).map((part) => part.trim());
  const asked = sentences.filter((part) => contentWords(part).size > 0);
  const parts = asked.flatMap((sentence) => splitAtJoint(sentence));
  return parts.length === 0 ? [question] : parts;
}

const joints = /、?と、?(?!いう|して|いえ|き|ころ|[はなもの])|、および|及び|、それと|,? and (?:also )?|; /gu;
const compares = /違|差|比べ|比較|どちら|共同(?!利用)|関係|differ|compare|between|\bboth\b|versus|\bvs\b/iu;

function splitAtJoint(sentence: string): readonly string[] {
  if (compares.test(sentence)) return [sentence];
  for (const { index, 0: joint } of sentence.matchAll(joints)) {
    const [left, right] = [sentence.slice(0, index).trim(), sentence.slice(index + joint.length).trim()];
    if (asksOneThing(left, right) || endsBefore(right)) continue;
    if (saysEnough(left, 'before') && saysEnough(right, 'after')) return [left, right].flatMap(splitAtJoint);
  }
  return [sentence];
}

/** Whether a sentence ends before the one that asks: what it joins is told, not asked. */
function endsBefore(right: string): boolean {
  return /(?:[.!]\s|[。！]).*(?:[?？]|か[。\s]*$)/u.test(right);
}

/** May we collect A and B: of things that are named in one such question it is asked the same. */
function asksOneThing(left: string, right: string): boolean {
  return yesOrNo.test(left) && !yesOrNo.test(right) && !questionWord.test(right);
}

const questionWord = /\b(?:what|who|whom|whose|which|when|where|why|how)\b/iu;

/** What documents are searched for: where two things are compared, each of them (`A と B の違い`, `the difference between A and B`); else the parts. */
export function splitSearch(question: string): readonly string[] {
  const { first, second, one, other } = difference.exec(question)?.groups ?? {};
  const things = [first ?? one ?? '', second ?? other ?? ''].map((thing) => thing.trim());
  return things.every((thing) => contentWords(thing).size > 0) ? things : splitQuestion(question);
}

const difference =
  /^(?<first>[^、。]+?)と(?<second>[^、。]+?)(?:の(?:違い|差)|[はって]+(?:どう|どこが|何が|なにが)?(?:違|ちが))|difference between (?<one>.+?) and (?<other>[^,?]+)/iu;

/** Whether a question names several things in one breath, also where they cannot be asked alone: 返品の期限と送料. */
export function joinsThings(question: string): boolean {
  return [...question.matchAll(joints)].some(({ index, 0: joint }) =>
    [question.slice(0, index), question.slice(index + joint.length)].every((side) => contentWords(side).size > 0),
  );
}

/** What it speaks of stands in what is before it. */
const refersBack = /\b(?:is|are|was|were|does|do|can|may|must) (?:it|they|that|this)\b|^(?:それ|その|これ|この)/iu;

/** Two things at least: what is asked, and of what. In Japanese `A の X` or `A への X`, next to the joint. */
function saysEnough(side: string, at: 'before' | 'after'): boolean {
  if (at === 'after' && refersBack.test(side)) return false;
  if (!/[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u.test(side)) return contentWords(side).size >= 2;
  const phrases = side.split(/[はをがで、]/u);
  const [next = ''] = at === 'before' ? phrases.slice(-1) : phrases;
  return next.split('の').filter((phrase) => contentWords(phrase).size > 0).length >= 2;
}
