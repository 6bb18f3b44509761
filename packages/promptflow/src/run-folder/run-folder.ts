import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** Raised where a folder holds no run of Prompt flow that can be read; the message says which file, and what is wrong. */
export class PromptFlowRunError extends Error {}

/** Bytes of one file: a text of half a gigabyte cannot be held. */
const maxBytes = 256 * 2 ** 20;

/**
 * A folder that somebody else wrote. Only what lies in it is read, and only plain files of a size that can be held: links
 * that lead out of it, pipes and devices are refused.
 */
export class PromptFlowFolder {
  readonly path: string;

  /** @param path absolute */
  constructor(path: string) {
    this.path = path;
  }

  /** Whether something is there whose path does not lead out by `..`; a link may still. */
  has(path: string): boolean {
    const full = join(this.path, path);
    return isBelow(this.path, full) && existsSync(full);
  }

  /** Names in a folder, in order. @throws PromptFlowRunError */
  list(path: string): readonly string[] {
    if (!this.#looked(path).isDirectory()) throw new PromptFlowRunError(`${path} is no folder`);
    return readdirSync(join(this.path, path)).sort();
  }

  isFolder(path: string): boolean {
    return this.#looked(path).isDirectory();
  }

  /** @throws PromptFlowRunError */
  bytes(path: string): Buffer {
    const found = this.#looked(path);
    if (!found.isFile()) throw new PromptFlowRunError(`${path} is no file`);
    if (found.size > maxBytes) throw new PromptFlowRunError(`${path} is larger than ${maxBytes / 2 ** 20} MB`);
    return readFileSync(join(this.path, path));
  }

  /** A file as text. @throws PromptFlowRunError where it is no UTF-8 */
  text(path: string): string {
    const bytes = this.bytes(path);
    if (!isUtf8(bytes)) throw new PromptFlowRunError(`${path}:${brokenLine(bytes)}: no UTF-8`);
    return new TextDecoder().decode(bytes);
  }

  /** Lines of a file that are not blank, with their places. @throws PromptFlowRunError */
  lines(path: string): readonly { readonly text: string; readonly where: string }[] {
    return this.text(path)
      .split('\n')
      .map((text, at) => ({ text, where: `${path}:${at + 1}` }))
      .filter(({ text }) => text.trim() !== '');
  }

  #looked(path: string): ReturnType<typeof statSync> & object {
    const full = join(this.path, path);
    try {
      if (!isBelow(realpathSync(this.path), realpathSync(full))) {
        throw new PromptFlowRunError(`${path} leads out of the folder`);
      }
      return statSync(full);
    } catch (error) {
      if (error instanceof PromptFlowRunError) throw error;
      const { message } = error as Error;
      throw new PromptFlowRunError(`${path} cannot be read: ${message.replace(/^[A-Z]+: |, \w+ '.*'$/g, '')}`);
    }
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function brokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    if (!isUtf8(bytes.subarray(start, stop))) return line;
    start = stop + 1;
  }
  return line;
}
