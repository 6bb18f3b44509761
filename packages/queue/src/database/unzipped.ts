import { zstdDecompressSync } from 'node:zlib';

/**
 * Bytes compressed with zstd, of which no more are written out than there should be: a few kilobytes can hold gigabytes.
 *
 * @param size bytes that should come out
 * @returns undefined where others come out, or it is not compressed with zstd
 */
export function unzipped(bytes: Uint8Array, size: number): Buffer | undefined {
  const held = unzippedAtMost(bytes, size);
  return held?.length === size ? held : undefined;
}

/** @returns undefined where more come out, or it is not compressed with zstd */
export function unzippedAtMost(bytes: Uint8Array, most: number): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, most) });
  } catch {
    return undefined;
  }
}
