import { ProjectFailure } from './project-failure.ts';

/**
 * What a program hands on and no type holds, as in JavaScript: each is refused before anything begins.
 *
 * @param what `a run`
 * @throws ProjectFailure where it is no text, or an empty one
 */
export function requireName(given: unknown, what: string): void {
  if (typeof given === 'string' && given !== '') return;
  throw new ProjectFailure(`${what} is named by a text, not by ${given === '' ? 'an empty one' : shownKind(given)}`);
}

/** @throws ProjectFailure where it is no list of names */
export function requireNames(given: unknown, what: string): void {
  if (!Array.isArray(given))
    throw new ProjectFailure(`${what} are given as a list of texts, not as ${shownKind(given)}`);
  for (const one of given) requireName(one, `each of ${what}`);
}

/** @throws ProjectFailure where it is no object of its parts */
export function requireObject(given: unknown, what: string): void {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  throw new ProjectFailure(`${what} must be an object, not ${shownKind(given)}`);
}

/** `a list`, `a Date`: what a value is, for somebody who handed on a wrong one. */
export function shownKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'a list';
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return name === undefined || name === 'Object' ? 'an object' : `a ${name}`;
}
