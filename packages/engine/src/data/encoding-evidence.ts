import { isAscii } from 'node:buffer';
import type { DataEncoding } from './detect-encoding.ts';

/** What a step over a byte may show: nothing, bytes that are none of the encoding, or a whole character of some kind. */
const events = { none: 0, broken: 1, two: 2, three: 3, four: 4, pair: 5, kana: 6, half: 7 } as const;
type Event = keyof typeof events;
type Step = readonly [next: number, event: Event];

/**
 * A machine that reads bytes as characters of one encoding, as a table: by state and byte the next state and what was seen.
 * State 0 is between characters. So a gigabyte is looked at in seconds.
 */
function machineOf(states: number, step: (state: number, byte: number) => Step): Uint16Array {
  const table = new Uint16Array(states * 256);
  for (let state = 0; state < states; state += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      const [next, event] = step(state, byte);
      table[state * 256 + byte] = next * 16 + events[event];
    }
  }
  return table;
}

/** A byte that breaks a character off may begin the next one. */
function broken([next, event]: Step): Step {
  return [next, event === 'none' ? 'broken' : event];
}

/**
 * The Unicode Standard, table 3-7: well-formed UTF-8 byte sequences, by state the second bytes and what is next. Control
 * characters beyond ASCII (0xC2 0x80 to 0x9F) are in no text.
 */
const utf8Seconds: readonly (readonly [least: number, most: number, next: number])[] = [
  [0, 0, 0],
  [0x80, 0xbf, 0],
  [0xa0, 0xbf, 7],
  [0x80, 0xbf, 7],
  [0x80, 0x9f, 7],
  [0x90, 0xbf, 8],
  [0x80, 0xbf, 8],
  [0x80, 0xbf, 0],
  [0x80, 0xbf, 9],
  [0x80, 0xbf, 0],
  [0x80, 0x8f, 8],
  [0xa0, 0xbf, 0],
];
const utf8Ends: Readonly<Record<number, Event>> = { 1: 'two', 11: 'two', 7: 'three', 9: 'four' };

function utf8Step(state: number, byte: number): Step {
  if (state === 0) return utf8Lead(byte);
  const [least, most, next] = utf8Seconds[state] ?? [0, 0, 0];
  if (byte >= least && byte <= most) return [next, next === 0 ? (utf8Ends[state] ?? 'none') : 'none'];
  return broken(utf8Lead(byte));
}

function utf8Lead(byte: number): Step {
  if (byte < 0x80) return [0, 'none'];
  const [, next = 0] = utf8Leads.find(([last]) => byte <= last) ?? [];
  return next === 0 ? [0, 'broken'] : [next, 'none'];
}

/** The last first byte of a range, and the state after it. */
const utf8Leads: readonly (readonly [last: number, next: number])[] = [
  [0xc1, 0],
  [0xc2, 11],
  [0xdf, 1],
  [0xe0, 2],
  [0xec, 3],
  [0xed, 4],
  [0xef, 3],
  [0xf0, 5],
  [0xf3, 6],
  [0xf4, 10],
];

/** Characters of two bytes, and half-width katakana of one. States: 1 after a first byte, 2 after one that none begins with. */
function cp932Step(state: number, byte: number): Step {
  if (state === 0) return cp932Lead(byte);
  const isTrail = (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfc);
  if (!isTrail) return broken(cp932Lead(byte));
  return [0, state === 1 ? 'pair' : 'broken'];
}

function cp932Lead(byte: number): Step {
  if (byte < 0x80) return [0, 'none'];
  if (byte >= 0xa1 && byte <= 0xdf) return [0, 'half'];
  if (byte === 0x80 || byte === 0xa0 || byte > 0xfc) return [0, 'broken'];
  return [emptyRows.has(byte) ? 2 : 1, 'none'];
}

/** First bytes of CP932 under which there is no character. */
const emptyRows: ReadonlySet<number> = new Set([0x85, 0x86, 0xeb, 0xec, 0xef]);

/** States: 1 after a first byte, 2 after that of kana. 0x8E comes before half-width katakana. */
function eucStep(state: number, byte: number): Step {
  if (state > 0) return isEucByte(byte) ? [0, state === 2 ? 'kana' : 'pair'] : [0, 'broken'];
  if (byte < 0x80) return [0, 'none'];
  if (byte === 0xa4 || byte === 0xa5) return [2, 'none'];
  return byte === 0x8e || isEucByte(byte) ? [1, 'none'] : [0, 'broken'];
}

function isEucByte(byte: number): boolean {
  return byte >= 0xa1 && byte <= 0xfe;
}

/** Where a machine is in a file, and how often it saw each event. */
class Reading {
  readonly #table: Uint16Array;
  readonly #counts = new Float64Array(16);
  #state = 0;

  constructor(table: Uint16Array) {
    this.#table = table;
  }

  read(bytes: Uint8Array): void {
    const table = this.#table;
    const counts = this.#counts;
    let state = this.#state;
    for (let at = 0; at < bytes.length; at += 1) {
      const step = table[state * 256 + (bytes[at] as number)] as number;
      state = step >> 4;
      const event = step & 15;
      if (event !== 0) counts[event] = (counts[event] as number) + 1;
    }
    this.#state = state;
  }

  /** A character that the end cuts off is broken. */
  count(event: Exclude<Event, 'none'>): number {
    const isCut = event === 'broken' && this.#state !== 0;
    return (this.#counts[events[event]] as number) + (isCut ? 1 : 0);
  }
}

/** Counts what speaks for each encoding, over all of a file, some bytes at a time. */
export class EncodingEvidence {
  readonly #utf8 = new Reading(machineOf(utf8Seconds.length, utf8Step));
  readonly #cp932 = new Reading(machineOf(3, cp932Step));
  readonly #euc = new Reading(machineOf(3, eucStep));
  /** Zero bytes at even and at odd places. */
  readonly #zeros: [number, number] = [0, 0];
  #size = 0;
  #hasShifts = false;
  #isAscii = true;

  add(bytes: Uint8Array): void {
    for (const reading of [this.#utf8, this.#cp932, this.#euc]) reading.read(bytes);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isAscii &&= isAscii(bytes);
    this.#hasShifts ||= shifts.some((shift) => buffer.includes(shift));
    for (let at = buffer.indexOf(0); at >= 0; at = buffer.indexOf(0, at + 1)) {
      this.#zeros[((this.#size + at) % 2) as 0 | 1] += 1;
    }
    this.#size += bytes.length;
  }

  /**
   * UTF-8 where most of what lies beyond ASCII is: a file with a few broken bytes keeps its encoding. Else EUC-JP where it
   * reads as such with kana in it, or CP932.
   */
  decide(): DataEncoding {
    const wide = this.#wideEncoding();
    if (wide !== undefined) return wide;
    if (this.#isAscii) return this.#hasShifts ? 'iso-2022-jp' : 'utf-8';
    if (this.#isUtf8()) return 'utf-8';
    return this.#isEuc() ? 'euc-jp' : 'cp932';
  }

  /**
   * By chance, three bytes of CP932 are a character of UTF-8 only after one that is none. Two bytes often are, where some
   * kanji or hiragana stand in a row; of two bytes of UTF-8, the first is half-width katakana in CP932.
   */
  #isUtf8(): boolean {
    const utf8 = this.#utf8;
    const brokenBytes = utf8.count('broken');
    if (3 * utf8.count('three') + 6 * utf8.count('four') >= 4 * Math.max(1, brokenBytes)) return true;
    const two = utf8.count('two');
    if (two >= 4 * brokenBytes && this.#cp932.count('half') * 2 >= two) return true;
    return brokenBytes <= Math.min(this.#cp932.count('broken'), this.#euc.count('broken'));
  }

  /** Half-width katakana of CP932 may read as EUC-JP too, but have neither full-width ones nor bytes from 0xE0 on. */
  #isEuc(): boolean {
    const kana = this.#euc.count('kana');
    const characters = this.#euc.count('pair') + kana;
    if (characters === 0 || this.#euc.count('broken') * 20 > characters) return false;
    return kana * 5 >= characters || this.#cp932.count('pair') * 5 >= characters;
  }

  /**
   * Zero bytes at every other place are ASCII in UTF-16, which has no other sign where it has no mark. What reads as UTF-8 but for
   * them is UTF-16 only where they are many: half of all bytes are where all is ASCII.
   */
  #wideEncoding(): DataEncoding | undefined {
    const [even, odd] = this.#zeros;
    const least = this.#utf8.count('broken') === 0 ? this.#size / 4 : this.#size / 100;
    if (even + odd < 2 || even + odd < least) return undefined;
    if (odd > even * 20) return 'utf-16le';
    return even > odd * 20 ? 'utf-16be' : undefined;
  }
}

/** Escape sequences that begin characters of two bytes in ISO-2022-JP. */
const shifts: readonly string[] = ['\u001b$B', '\u001b$@'];
