import { type Stats, statfsSync, statSync } from 'node:fs';
import { refusalOf } from '../source/refusal.ts';

/** @returns why it cannot be looked at, where that is so */
export function lookAt(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? `there is no file or folder ${path}` : unreadable(path, error);
  }
}

/** @throws what is no refusal of the system */
export function unreadable(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `${path} cannot be read: ${refusalOf(error) ?? message}`;
}

/** Why what is there cannot be read again and again. */
export function whyNotTwice(path: string, found: Stats): string | undefined {
  if (found.isFile() && !isOfKernel(path, found)) return undefined;
  return `${path} is no file: rows are read more than once, which a pipe or a device cannot give. Write them to a file first`;
}

/** The type of Linux's `/proc`: what lies there says that it is a file, and may never end. */
const procType = 0x9fa0;

function isOfKernel(path: string, { size }: Stats): boolean {
  return size === 0 && process.platform === 'linux' && statfsSync(path).type === procType;
}
