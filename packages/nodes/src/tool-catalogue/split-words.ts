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
  eachPiece(text, (piece) => {
    const term = termOf(piece.toLowerCase());
    if (term !== undefined) found.push(term);
  });
  return found;
}

/** The sentences of a text that hold such a word. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+|(?<=[。？！])|\n+/u).filter((sentence) => splitWords(sentence).length > 0);
}

/** The pieces of a text as they are written, before stop words are dropped and endings cut. */
function eachPiece(text: string, visit: (piece: string) => void): void {
  if (bytes.length <= 3 * text.length) bytes = new Uint8Array(6 * text.length + 1);
  const { written } = encoder.encodeInto(text, bytes);
  bytes[written] = 0;
  const end = scanAscii(bytes, 0, written, (start, end) => visit(text.slice(start, end)));
  if (end < text.length) for (const piece of otherPieces(text.slice(end))) visit(piece);
}

const encoder = new TextEncoder();
let bytes = new Uint8Array(4096);

/** What a byte is: 0 between words, 1 a small letter or digit, 2 a capital. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z0-9]/.test(letter)) return 1;
  return /[A-Z]/.test(letter) ? 2 : 0;
});

const small = Uint8Array.from({ length: 128 }, (_, code) => (kinds[code] === 2 ? code + 32 : code));

/** Gets a piece as the stretch of bytes where it stands, with the hash of its letters in lower case (FNV-1a). */
export type VisitStretch = (start: number, end: number, hash: number) => void;

/**
 * Visits the words of a text up to its first character beyond ASCII. A word ends before a capital that follows a small letter
 * or digit, and before a capital that a small letter follows. Catalogues are nearly all ASCII, and this is what building
 * an index waits for: so it reads bytes, once.
 *
 * @param text UTF-8; behind `to` stands no small letter
 * @returns where it stopped, at the beginning of the word that it could not read to its end
 */
export function scanAscii(text: Uint8Array, from: number, to: number, visit: VisitStretch): number {
  let start = from;
  let hash = firstHash;
  let before = 0;
  for (let at = from; at < to; at += 1) {
    const code = text[at] as number;
    if (code > 127) return start;
    const kind = kinds[code] as number;
    if (at > start && endsBefore(kind, before, text[at + 1] as number)) {
      visit(start, at, hash);
      start = at;
      hash = firstHash;
    }
    if (kind === 0) start = at + 1;
    else hash = Math.imul(hash ^ (small[code] as number), 16_777_619);
    before = kind;
  }
  if (to > start) visit(start, to, hash);
  return to;
}

const firstHash = -2_128_831_035;

/** Whether a word ends before a byte of this kind. */
function endsBefore(kind: number, before: number, next: number): boolean {
  if (kind !== 2) return kind === 0;
  return before === 1 || (next >= 97 && next <= 122);
}

function otherPieces(text: string): readonly string[] {
  const plain = text.normalize('NFKC');
  const words = (hasHump.test(plain) ? humpsApart(plain) : plain).toLowerCase();
  return isJapanese.test(words) ? japaneseWords(words) : (words.match(/[\p{L}\p{N}]+/gu) ?? []);
}

const hasHump = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;

function humpsApart(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
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
