import { isUtf8 } from 'node:buffer';
import type { Redactor } from '@unroll/engine';

/** A line of a file that must not go elsewhere. */
export interface HeldSecret {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Lines that hold a secret which is known, or what can be nothing but a key. */
export function heldSecrets(files: ReadonlyMap<string, Uint8Array>, redactor: Redactor): readonly HeldSecret[] {
  return [...files].flatMap(([path, bytes]) => {
    const text = textOf(Buffer.from(bytes));
    const isHeld = (part: string): boolean =>
      redactor.sharedValue(part) !== part || (namesPackages.test(path) && passwordInAddress.test(part));
    if (!isHeld(text) && redactor.sharedValue(path) === path) return [];
    return [{ path, line: Math.max(text.split('\n').findIndex(isHeld), 0) + 1 }];
  });
}

/** A file that is no text is read byte by byte: a secret in it is a text all the same. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** An address in these is one that is asked, and no example; `${…}` is the name of a variable. */
const namesPackages = /(?:^|\/)(?:package\.json|requirements[^/]*\.txt)$/;
const passwordInAddress = /:\/\/[^\s/@:]*:(?!\$\{)[^\s/@]+@/;
