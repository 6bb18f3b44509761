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
  eachPiece(text, (whole, start, end) => {
    const term = termOf(whole.slice(start, end).toLowerCase());
    if (term !== undefined) found.push(term);
  });
  return found;
}

/** The sentences of a text that hold such a word. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+|(?<=[。？！])|\n+/u).filter((sentence) => splitWords(sentence).length > 0);
}

/** Gets a piece as the stretch of a text where it stands. */
export type VisitPiece = (text: string, start: number, end: number) => void;

/** The pieces of a text as they are written, before stop words are dropped and endings cut. */
export function eachPiece(text: string, visit: VisitPiece): void {
  const end = scanAscii(text, visit);
  if (end < text.length) for (const piece of otherPieces(text.slice(end))) visit(piece, 0, piece.length);
}

/** What a character of ASCII is: 0 between words, 1 a small letter or digit, 2 a capital. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z0-9]/.test(letter)) return 1;
  return /[A-Z]/.test(letter) ? 2 : 0;
});

/**
 * Visits the words of a text up to its first character beyond ASCII. A word ends before a capital that follows a small letter
 * or digit, and before a capital that a small letter follows. Catalogues are nearly all ASCII, and this is what building
 * an index waits for.
 *
 * @returns where it stopped, at the beginning of the word that it could not read to its end
 */
function scanAscii(text: string, visit: VisitPiece): number {
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return start;
    const kind = kinds[code] as number;
    if (kind === 1 || (kind === 2 && !beginsWord(text, at, start))) continue;
    if (at > start) visit(text, start, at);
    start = kind === 0 ? at + 1 : at;
  }
  if (text.length > start) visit(text, start, text.length);
  return text.length;
}

/** Whether the capital at `at` begins a word of its own, in one that began at `start`. */
function beginsWord(text: string, at: number, start: number): boolean {
  if (at === start) return false;
  if (kinds[text.charCodeAt(at - 1)] === 1) return true;
  const next = text.charCodeAt(at + 1);
  return next >= 97 && next <= 122;
}

function otherPieces(text: string): readonly string[] {
  const plain = text.normalize('NFKC');
  const words = (hasHump.test(plain) ? humpsApart(plain) : plain).toLowerCase();
  return isJapanese.test(words) ? japaneseWords(words) : (words.match(/[\p{L}\p{N}]+/gu) ?? []);
}

const hasHump = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;

function humpsApart(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
}

let segmenter: Intl.Segmenter | undefined;

function japaneseWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** What is searched for of a piece; undefined for a stop word. */
export function termOf(piece: string): string | undefined {
  return stopWords.has(piece) ? undefined : singular(piece);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const isPlural = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us');
  return isPlural ? word.slice(0, -1) : word;
}
