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
    // A file that is no text is read byte by byte: a secret in it is a text all the same.
    const text = Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
    if (redactor.sharedValue(text) === text) return [];
    const lines = text.split('\n');
    const held = lines.findIndex((line) => redactor.sharedValue(line) !== line);
    return [{ path, line: Math.max(held, 0) + 1 }];
  });
}
