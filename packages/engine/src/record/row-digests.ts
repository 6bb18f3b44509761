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
 * the same nodes has the same bytes. A digest has 16 bytes. All is written and read as hexadecimal digits.
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
  for (const [, node] of [...nodes].sort(([one], [other]) => one - other)) {
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

function twoDigits(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function printNumber(number: number): string {
  let text = '';
  let rest = number;
  for (; rest > 127; rest = Math.floor(rest / 128)) text += twoDigits((rest % 128) + 128);
  return text + twoDigits(rest);
}

const inputsAt = 2;
const outputsAt = inputsAt + digestLength;
const shapeAt = outputsAt + digestLength;

export function readRowHead(digits: string): RowHead {
  const [inputsHash, outputsHash] = [digits.slice(inputsAt, outputsAt), digits.slice(outputsAt, shapeAt)];
  return { status: byteAt(digits, 0), inputsHash, outputsHash };
}

/** Digests of a row's nodes by id, in full. */
export function readRowDigests(digits: string): ReadonlyMap<number, NodeDigests> {
  const shapeStart = endOfNumber(digits, shapeAt);
  const shapeEnd = shapeStart + numberBetween(digits, shapeAt, shapeStart) * 2;
  let next = shapeEnd;
  const take = (): string => {
    next += digestLength;
    return digits.slice(next - digestLength, next).toLowerCase();
  };
  const nodes = new Map<number, NodeDigests>();
  for (let at = shapeStart; at < shapeEnd; ) {
    const end = endOfNumber(digits, at);
    const flags = byteAt(digits, end);
    const outputHash = flags & outputFlag ? take() : nullHash;
    const inputsHash = flags & inputsFlag ? take() : emptyHash;
    const fingerprint = flags & fingerprintFlag ? { fingerprint: take() } : {};
    nodes.set(numberBetween(digits, at, end), { status: flags % outputFlag, outputHash, inputsHash, ...fingerprint });
    at = end + 2;
  }
  return nodes;
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
