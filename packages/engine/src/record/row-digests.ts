/**
 * All digests of a row that ended, one behind the other, so that two runs are compared by one look-up a row:
 *
 *     status of the row, digest of its inputs, digest of what it gave
 *     bytes of the shape (LEB128)
 *     the shape: of every node in the order of ids its id (LEB128), and status + 8 with output + 16 with inputs + 32 with
 *       fingerprint
 *     of every node in this order the digests it is with
 *
 * An output that is null and inputs that are empty are left out: of what was bypassed 2 bytes are kept. The same row of
 * the same nodes has the same bytes; most rows of a run have the same shape, which is read once. A digest has 16 bytes. All is
 * written and read as hexadecimal digits, which cost less to hand to SQLite and to get from it than bytes.
 */
export interface RowHead {
  /** As `statusNumber` tells it. */
  readonly status: number;
  readonly inputsHash: string;
  readonly outputsHash: string;
}

export interface NodeDigests {
  readonly status: number;
  readonly outputHash: string;
  readonly inputsHash: string;
  readonly fingerprint?: string | null | undefined;
}

/** Of one node, as digits. */
export interface PrintedDigests {
  readonly shape: string;
  readonly digests: string;
}

/** Hexadecimal digits of one digest. */
const digestLength = 32;
const [outputFlag, inputsFlag, fingerprintFlag] = [8, 16, 32];
/** Of the texts `null` and `{}`. */
const nullHash = '74234e98afe7498fb5daf1f36ac2d78a';
const emptyHash = '44136fa355b3678a1146ad16f7e8649e';

/** A row's number in `row_digests`: its repetition in the lowest 20 bits. */
export function rowNumber(line: number, repeat: number): number {
  return line * 2 ** 20 + repeat;
}

export function rowOfNumber(row: number): { readonly line: number; readonly repeat: number } {
  return { line: Math.floor(row / 2 ** 20), repeat: row % 2 ** 20 };
}

/** @param nodes by id, as `printNodeDigests` made them */
export function stringifyRowDigests(row: RowHead, nodes: ReadonlyMap<number, PrintedDigests>): string {
  let shape = '';
  let digests = '';
  for (const node of inOrder(nodes)) {
    shape += node.shape;
    digests += node.digests;
  }
  return twoDigits(row.status) + row.inputsHash + row.outputsHash + printNumber(shape.length / 2) + shape + digests;
}

export function stringifyNodeDigests(id: number, node: NodeDigests): PrintedDigests {
  const output = node.outputHash === nullHash ? '' : node.outputHash;
  const inputs = node.inputsHash === emptyHash ? '' : node.inputsHash;
  const fingerprint = node.fingerprint ?? '';
  const flags =
    node.status +
    (output === '' ? 0 : outputFlag) +
    (inputs === '' ? 0 : inputsFlag) +
    (fingerprint === '' ? 0 : fingerprintFlag);
  return { shape: printNumber(id) + twoDigits(flags), digests: output + inputs + fingerprint };
}

/** Nodes mostly end in the order of their ids. */
function inOrder(nodes: ReadonlyMap<number, PrintedDigests>): Iterable<PrintedDigests> {
  let last = -1;
  for (const id of nodes.keys()) {
    if (id < last) return [...nodes].sort(([one], [other]) => one - other).map(([, node]) => node);
    last = id;
  }
  return nodes.values();
}

const pairsOfDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function twoDigits(byte: number): string {
  return pairsOfDigits[byte] as string;
}

function printNumber(number: number): string {
  let text = '';
  let rest = number;
  for (; rest > 127; rest = Math.floor(rest / 128)) text += twoDigits((rest % 128) + 128);
  return text + twoDigits(rest);
}

/** Where in the digits of a row the digests of one node begin; -1 where there are none. */
export interface NodePlaces {
  readonly id: number;
  readonly status: number;
  readonly output: number;
  readonly inputs: number;
  readonly fingerprint: number;
}

export const inputsAt = 2;
export const outputsAt = inputsAt + digestLength;
const shapeAt = outputsAt + digestLength;

const zero = '0'.charCodeAt(0);

/** Statuses are below 10. */
export function statusOfRow(digits: string): number {
  return digits.charCodeAt(1) - zero;
}

/** The digits that tell where the digests of a row's nodes are. */
export function shapeOf(digits: string): string {
  const start = endOfNumber(digits, shapeAt);
  return digits.slice(shapeAt, start + numberBetween(digits, shapeAt, start) * 2);
}

export function placesOf(shape: string): readonly NodePlaces[] {
  const places: NodePlaces[] = [];
  let next = shapeAt + shape.length;
  const take = (flag: number): number => {
    if (flag === 0) return -1;
    next += digestLength;
    return next - digestLength;
  };
  for (let at = endOfNumber(shape, 0); at < shape.length; ) {
    const end = endOfNumber(shape, at);
    const flags = byteAt(shape, end);
    const [output, inputs, fingerprint] = [
      take(flags & outputFlag),
      take(flags & inputsFlag),
      take(flags & fingerprintFlag),
    ];
    places.push({ id: numberBetween(shape, at, end), status: flags % outputFlag, output, inputs, fingerprint });
    at = end + 2;
  }
  return places;
}

/** Whether two digests are not the same; -1 stands for one that was left out. */
export function digestsDiffer(one: string, at: number, other: string, otherAt: number): boolean {
  if (at < 0 || otherAt < 0) return at >= 0 || otherAt >= 0;
  // Digests that differ mostly do so at once; to look at the rest digit by digit takes twice as long.
  if (one.charCodeAt(at) !== other.charCodeAt(otherAt)) return true;
  return one.slice(at, at + digestLength) !== other.slice(otherAt, otherAt + digestLength);
}

/** Digests of a row's nodes by id, in full. */
export function readRowDigests(digits: string): ReadonlyMap<number, NodeDigests> {
  const textAt = (at: number): string => digits.slice(at, at + digestLength).toLowerCase();
  const digestsOf = ({ status, output, inputs, fingerprint }: NodePlaces): NodeDigests => ({
    status,
    outputHash: output < 0 ? nullHash : textAt(output),
    inputsHash: inputs < 0 ? emptyHash : textAt(inputs),
    ...(fingerprint < 0 ? {} : { fingerprint: textAt(fingerprint) }),
  });
  return new Map(placesOf(shapeOf(digits)).map((places) => [places.id, digestsOf(places)]));
}

function endOfNumber(digits: string, start: number): number {
  let at = start;
  while (byteAt(digits, at) > 127) at += 2;
  return at + 2;
}

function numberBetween(digits: string, start: number, end: number): number {
  let number = 0;
  for (let at = end - 2; at >= start; at -= 2) number = number * 128 + (byteAt(digits, at) % 128);
  return number;
}

function byteAt(digits: string, at: number): number {
  return Number.parseInt(digits.slice(at, at + 2), 16);
}
