import { createHash } from 'node:crypto';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Takes the chunks of a file, and gives their pieces; without a chunk what is left. */
type Pieces = (chunk?: Uint8Array) => readonly Uint8Array[];

/** Takes chunks; without one gives their SHA-256. @param isText then line ends, which differ from one checkout to another, play no part */
export function digestOfChunks(isText: boolean): (chunk?: Uint8Array) => string {
  const hash = createHash('sha256');
  const pieces = isText ? returnsBeforeNewlines() : asTheyAre;
  return (chunk) => {
    for (const piece of pieces(chunk)) hash.update(piece);
    return chunk === undefined ? hash.digest('hex') : '';
  };
}

/** Leaves out each `\r` before a newline, also where one ends a chunk and the other begins the next. */
function returnsBeforeNewlines(): Pieces {
  let isHeld = false;
  return (chunk) => {
    const before = isHeld && chunk?.[0] !== newline ? [Uint8Array.of(carriageReturn)] : [];
    if (chunk === undefined) return before;
    isHeld = chunk.at(-1) === carriageReturn;
    return [...before, ...piecesOf(isHeld ? chunk.subarray(0, -1) : chunk)];
  };
}

const asTheyAre: Pieces = (chunk) => (chunk === undefined ? [] : [chunk]);

function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (bytes[at + 1] !== newline) continue;
    pieces.push(bytes.subarray(start, at));
    start = at + 1;
  }
  return [...pieces, bytes.subarray(start)];
}
