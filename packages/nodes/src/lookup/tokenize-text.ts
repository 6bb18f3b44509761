/** A term of a text and how much it counts: a word 1, a pair of Japanese characters less. */
export interface Term {
  readonly text: string;
  readonly weight: number;
}

/**
 * Terms of a text, in order, repeated ones repeated. Width and case are folded (NFKC, lower case). Japanese gives the
 * words of `Intl.Segmenter`, and beside them each pair of neighbouring characters, because compound nouns are not cut
 * the same way in question and text. Function words give nothing.
 */
export function tokenizeText(text: string): readonly Term[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const words = [...segmenter().segment(folded)]
    .filter((part) => part.isWordLike)
    .map((part) => wordTerm(part.segment));
  const pairs = [...folded.matchAll(japaneseRun)].flatMap(([run]) => characterPairs(run));
  return [...words.filter((word) => word !== undefined), ...pairs].map(toTerm);
}

let words: Intl.Segmenter | undefined;

/** Made when first wanted: it is slow to make. */
function segmenter(): Intl.Segmenter {
  words ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return words;
}
const japaneseRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const isJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isHiragana = /^[\p{Script=Hiragana}ー]+$/u;

const pairMark = '\u0001';
const pairWeight = 0.5;

const englishStopWords = new Set(
  `a an and any are as at be been but by can could did do does for from had has have how i if in into is it its may me
   my no not of on or our shall should so such than that the their them then there these they this those to under us was
   we were what when where which who whom whose why will with would you your`.split(/\s+/u),
);

const japaneseStopWords = new Set(
  `あり ある あれ いい いう いえ いく いけ いつ いる うち おい おり おる かつ から ください くださる けど こと この これ ここ さ さい させ し しか しよう
   する すれ せ その そう それ そこ た たい ため たり だ だけ だろ って つい て で でき できる でしょ です とき ところ とも どう どの どれ どこ ない なかっ なく
   なけれ なぜ なに など なら なり なる なん に ので のに は ば べき ほか ほど ます ませ まし ました ません また まで も もの もらう やる よう より よい よろしい らの られ れ れる わけ を
   何 場合 教え 誰 私 必要 下さい`.split(/\s+/u),
);

function wordTerm(word: string): string | undefined {
  if (!isJapanese.test(word)) return englishTerm(word);
  const isLetter = word.length === 1 && isHiragana.test(word);
  return isLetter || japaneseStopWords.has(word) ? undefined : word;
}

function englishTerm(word: string): string | undefined {
  const stem = word.replace(/['’]s$/u, '');
  if (englishStopWords.has(stem)) return undefined;
  if (stem.length > 4 && stem.endsWith('ies')) return `${stem.slice(0, -3)}y`;
  return stem.length > 3 && /[^su]s$/u.test(stem) ? stem.slice(0, -1) : stem;
}

/** Pairs of hiragana alone are endings and particles. */
function characterPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.flatMap((character, index) => {
    const pair = `${character}${characters[index + 1] ?? ''}`;
    return index + 1 < characters.length && !isHiragana.test(pair) ? [`${pairMark}${pair}`] : [];
  });
}

function toTerm(text: string): Term {
  return { text, weight: text.startsWith(pairMark) ? pairWeight : 1 };
}
