import { contentWords } from './content-words.ts';
import type { OfferedTool } from './offered-tool.ts';
import { isJapanese } from './said-by-stand-in.ts';

const greetings =
  /^(こんにちは|こんばんは|おはよう|はじめまして|やあ|やっほー|どうも|もしもし|(?:教えて(?:くれて|くださり|くださって|いただき|いただいて))?ありがとう|お世話|よろしく|さようなら|hello\b|hi\b|hey\b|thanks?\b|thank you|good (morning|evening|afternoon)|bye\b)/iu;

const thanks = /ありがとう|thank/iu;

/** How one is: asked behind a greeting, it asks for nothing. */
const pleasantries =
  /(?:ご?機嫌|調子|お?元気)(?:[はが]|です|いかが|どう|か|でしょう)*[?？。]?|how (?:are|do) you(?: do(?:ing)?)?(?: today)?|how(?:'s| is) (?:it|everything) going|what's up/giu;

/** A greeting and next to nothing else; a question behind a greeting is a question. */
export function isSmallTalk(text: string): boolean {
  const said = text.trim();
  const [greeted = ''] = greetings.exec(said) ?? [];
  const rest = said.slice(greeted.length).replaceAll(pleasantries, ' ').trim();
  if (greeted === '' && (said === '' || rest.replaceAll(/[\p{P}\p{S}\s]/gu, '') !== '')) return false;
  const { size } = contentWords(rest);
  const atMost = thanks.test(greeted) ? 2 : 1;
  return size === 0 || (size <= atMost && !/[?？]|か。?$/u.test(rest));
}

const abouts =
  /^(?:(?:あなたは)?何ができ(?:る|ます)(?:の|か|のか|んですか|のですか)?|あなたは(?:誰|何)(?:で|です|なの|なんです)?か?|(?:there )?(?:what can (?:you do|i ask(?: you)?)|(?:who|what) are you|how can you help(?: me)?))$/iu;

/** Who it is or what it can do, and nothing else; maybe behind a greeting. */
export function asksAboutItself(text: string): boolean {
  const said = text.trim();
  const [greeted = ''] = greetings.exec(said) ?? [];
  const asked = said.slice(greeted.length).split(/\p{P}+|\band\b/iu);
  const parts = asked.map((part) => part.trim().replaceAll(/\s+/gu, ' ')).filter((part) => part !== '');
  return parts.some((part) => abouts.test(part)) && parts.every((part) => part === 'there' || abouts.test(part));
}

/** Says what it is, and what it answers with. */
export function introduction(question: string, tools: readonly OfferedTool[]): string {
  const told = isJapanese(question)
    ? 'モデルの代わりに、次のものを使って答えます。'
    : 'In place of a model, I answer with:';
  const named = tools.map(({ name, description }) => (description === '' ? `- ${name}` : `- ${name}: ${description}`));
  return [told, ...named].join('\n');
}

/** What a greeting, or thanks, is answered with. */
export function greeting(text: string): string {
  const isThanks = thanks.test(text);
  if (isJapanese(text)) return `${isThanks ? 'どういたしまして。' : 'こんにちは。'}ご質問をどうぞ。`;
  return `${isThanks ? 'You are welcome.' : 'Hello.'} Please ask your question.`;
}
