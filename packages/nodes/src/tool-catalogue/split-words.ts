/** Words that say nothing about which tool is meant: function words, and those of asking for something. */
const stopWords = new Set(
  `a an the and or but if then else of to in on at by for from with as into about over after before between is are was
   were be been being am do does did doing have has had having i me my mine myself we us our ours you your yours he she
   it its they them their this that these those there here what which who whom whose when where why how can could would
   should will shall may might must not no nor so than too very just also only own same such some any each few more most
   other all both please want need like help give provide tell know looking find get let using use via per s t re ve ll
   d m able です ます する して した ください の は が を に で と も へ や から まで より こと もの`.split(/\s+/u),
);

const isJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The words of a text that tell tools apart, with repeats: identifiers are split (`getUserByID` is get user by id),
 * case, plural endings and stop words are dropped. Japanese is cut into words by ICU.
 */
export function splitWords(text: string): readonly string[] {
  return piecesOf(text).flatMap((piece) => (stopWords.has(piece) ? [] : [singular(piece)]));
}

/** The sentences of a text that hold such a word. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+|(?<=[。？！])|\n+/u).filter((sentence) => splitWords(sentence).length > 0);
}

/** The pieces of a text in small letters, before stop words are dropped and endings cut. */
function piecesOf(text: string): readonly string[] {
  const start = text.search(firstBeyondAscii);
  if (start < 0) return plainWords(text);
  const rest = text.slice(start).normalize('NFKC');
  return [...plainWords(text.slice(0, start)), ...(isJapanese.test(rest) ? japaneseWords(rest) : plainWords(rest))];
}

/** The beginning of the first word that is not all ASCII. */
const firstBeyondAscii = /(?<![A-Za-z0-9])[A-Za-z0-9]*[^\0-\x7f]/;

function plainWords(text: string): readonly string[] {
  return (
    humpsApart(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function humpsApart(text: string): string {
  return text.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$& ');
}

let segmenter: Intl.Segmenter | undefined;

function japaneseWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return [...segmenter.segment(humpsApart(text).toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const isPlural = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us');
  return isPlural ? word.slice(0, -1) : word;
}
