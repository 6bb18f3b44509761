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
  const found: string[] = [];
  for (const piece of piecesOf(text)) {
    const term = termOf(piece);
    if (term !== undefined) found.push(term);
  }
  return found;
}

/** The sentences of a text that hold such a word. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+|(?<=[。？！])|\n+/u).filter((sentence) => splitWords(sentence).length > 0);
}

function piecesOf(text: string): readonly string[] {
  const plain = isAscii.test(text) ? text : text.normalize('NFKC');
  const words = (hasHump.test(plain) ? humpsApart(plain) : plain).toLowerCase();
  return isJapanese.test(words) ? japaneseWords(words) : (words.match(/[\p{L}\p{N}]+/gu) ?? []);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7f]*$/;
const hasHump = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;

function humpsApart(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
}

let segmenter: Intl.Segmenter | undefined;

function japaneseWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** Terms of words seen before: a catalogue says the same few words again and again. */
const terms = new Map<string, string | undefined>();
const mostRemembered = 200_000;

function termOf(word: string): string | undefined {
  const known = terms.get(word);
  if (known !== undefined || terms.has(word)) return known;
  const term = stopWords.has(word) ? undefined : singular(word);
  if (terms.size < mostRemembered) terms.set(word, term);
  return term;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
