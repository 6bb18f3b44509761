import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, types } from 'node:util';
import { cutText } from '@unroll/engine/values';
import { causeOf } from '../http/cause-of.ts';

interface Described {
  readonly code: string;
  readonly message: string;
}

/** So much of a message is kept, in characters. */
export const longestMessage = 100_000;

/** So much of the name of a class. */
const longestClass = 200;

/** Class and message of whatever was thrown: nothing of it is run that might throw in its turn. */
export function describeThrown(thrown: unknown): Described {
  const { code, message } = readOr({ code: typeof thrown, message: shown(thrown) }, () => described(thrown));
  return { code: cutText(code, longestClass), message: cutText(message, longestMessage) };
}

/** The same of what it was raised from. */
export const longestCause = 2000;

const mostCauses = 10;

/** The causes that an error names and the errors it is made of, each with its class, nearest first; a text that says nothing new is left out. */
export function causesOf(thrown: unknown): readonly string[] {
  const seen = new Set<unknown>([thrown]);
  const told = new Map([[describeThrown(thrown).message, '']]);
  const waiting = [...causesIn(thrown)];
  for (let one = waiting.shift(); one !== undefined && seen.size <= mostCauses; one = waiting.shift()) {
    if (seen.has(one)) continue;
    seen.add(one);
    const { code, message } = describeThrown(one);
    const text = message === '' ? code : `${code}: ${message}`;
    if (!told.has(message || text)) told.set(message || text, cutText(text, longestCause));
    waiting.unshift(...causesIn(one));
  }
  return [...told.values()].slice(1);
}

/** Whether what was thrown, or a cause of it, is a network's failure or a time-out: another try may pass. */
export function mayPass(thrown: unknown): boolean {
  if (types.isProxy(thrown)) return false;
  return readOr(false, () => causeOf(thrown).retryable || describeThrown(thrown).code === 'TimeoutError');
}

/** Whether it tells that there is no file of a path that is seen from the folder of the process. */
export function isRelativeFileMissing(thrown: unknown): boolean {
  if (types.isProxy(thrown) || !(thrown instanceof Error)) return false;
  return readOr(false, () => {
    const { code, path } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || typeof path !== 'string' || path === '') return false;
    // Windows tells the absolute path of each.
    return !isAbsolute(path) || (process.platform === 'win32' && dirname(path) === process.cwd());
  });
}

function causesIn(thrown: unknown): readonly unknown[] {
  if (types.isProxy(thrown) || !readOr(false, () => thrown instanceof Error)) return [];
  const cause = readOr(undefined, () => (thrown as Error).cause);
  return [cause, ...readOr([], () => errorsIn(thrown))].filter((one) => one !== undefined);
}

/** Member by member: a list of a program's own may have ways of its own. */
function errorsIn(thrown: unknown): readonly unknown[] {
  const errors: unknown = thrown instanceof AggregateError ? thrown.errors : [];
  if (types.isProxy(errors) || !Array.isArray(errors)) return [];
  return Array.from({ length: Math.min(errors.length, mostCauses) }, (_, at): unknown => errors[at]);
}

function described(thrown: unknown): Described {
  if (typeof thrown !== 'object' || thrown === null) {
    return { code: thrown === null ? 'null' : typeof thrown, message: String(thrown) };
  }
  if (types.isProxy(thrown)) return { code: 'Proxy', message: shown(thrown) };
  const message = readOr(undefined, () => (thrown as { readonly message?: unknown }).message);
  const text = typeof message === 'string' ? message : shown(message ?? thrown);
  return { code: thrown instanceof Error ? classOf(thrown) : 'object', message: text };
}

function classOf(error: Error): string {
  const name: unknown = readOr('', () => error.name);
  if (typeof name === 'string' && name !== '' && name !== 'Error') return name;
  const className: unknown = readOr('', () => error.constructor.name);
  return typeof className === 'string' && className !== '' ? className : 'Error';
}

/** As Node prints it; getters and methods of it are not called. */
function shown(value: unknown): string {
  return readOr('it cannot be read', () => inspect(value, { customInspect: false, depth: 2 }));
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Lines of the user's own files, newest last: `search.ts:12 in searchFaq`. */
export function usersFrames(thrown: unknown, folder: string): readonly string[] {
  const stack: unknown = readOr('', () => (thrown instanceof Error ? thrown.stack : ''));
  if (typeof stack !== 'string') return [];
  const frames = stack.split('\n').flatMap((line) => {
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
  const path = place.startsWith('file://') ? readOr(undefined, () => fileURLToPath(place)) : place;
  if (path === undefined) return undefined;
  const shown = relative(folder, path);
  if (shown.startsWith('..') || isAbsolute(shown) || shown.includes('node_modules') || place.startsWith('node:'))
    return undefined;
  const where = `${shown.replaceAll(sep, '/')}:${lineNumber}`;
  const plain = name?.replace(/ \[as .*\]$/, '').replace(/^Object\./, '');
  return plain === undefined || plain === '<anonymous>' ? where : `${where} in ${plain}`;
}
