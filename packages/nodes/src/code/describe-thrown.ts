import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Class and message of whatever was thrown. */
export function describeThrown(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: typeof thrown, message: String(thrown) };
  const className = thrown.constructor.name;
  const isNamed = thrown.name !== '' && thrown.name !== 'Error';
  return { code: isNamed ? thrown.name : className || 'Error', message: thrown.message };
}

/** Lines of the user's own files, newest last: `search.ts:12 in searchFaq`. */
export function usersFrames(thrown: unknown, folder: string): readonly string[] {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return [];
  const frames = thrown.stack.split('\n').flatMap((line) => {
    const frame = readFrame(line, folder);
    return frame === undefined ? [] : [frame];
  });
  return frames.reverse();
}

const framePattern = /^\s*at (?:(?:async )?(.*?) \()?((?:file:\/\/)?[^()\s]+?)(?:\?[^:)]*)?:(\d+):\d+\)?$/;

function readFrame(line: string, folder: string): string | undefined {
  const found = framePattern.exec(line);
  if (found === null) return undefined;
  const [, name, place = '', lineNumber = ''] = found;
  const path = place.startsWith('file://') ? fileURLToPath(place) : place;
  const shown = relative(folder, path);
  if (shown.startsWith('..') || shown.includes('node_modules') || place.startsWith('node:')) return undefined;
  const where = `${shown.replaceAll(sep, '/')}:${lineNumber}`;
  const plain = name?.replace(/ \[as .*\]$/, '').replace(/^Object\./, '');
  return plain === undefined || plain === '<anonymous>' ? where : `${where} in ${plain}`;
}
