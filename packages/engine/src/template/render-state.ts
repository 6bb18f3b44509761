import { pythonStr } from './python-text.ts';
import { Markup } from './python-types.ts';
import { PythonError, TemplateError } from './template-error.ts';

/** A frame: the frame outside, the state, then the slots. */
export type Frame = unknown[];
export type Evaluate = (frame: Frame) => unknown;
export type Write = (frame: Frame) => string;

/** What one render knows beside its variables. `guard`, `guarded`: see RenderOptions. */
interface RenderState {
  readonly guard: string | null;
  /** null: all of them. */
  readonly guarded: ReadonlySet<string> | null;
}

export function guardOf(frame: Frame): string | null {
  return (frame[1] as RenderState).guard;
}

/**
 * The text of a printed value, with the guard's marks when there is a guard.
 *
 * @param origins the variables it may come from
 */
export function printed(value: unknown, frame: Frame, origins: readonly string[]): string {
  const { guard, guarded } = frame[1] as RenderState;
  const text = typeof value === 'string' ? value : pythonStr(value);
  if (guard === null) return text;
  if (guarded !== null && !origins.some((name) => guarded.has(name))) {
    return text.startsWith(guard + guard) ? text.slice(2 * guard.length) : text;
  }
  const isPlain = !text.includes('\n') && !text.includes(':') && !text.includes(guard);
  if (isPlain) return text;
  if (text.startsWith(guard + guard)) return text.slice(2 * guard.length);
  return withoutGuard(text, guard).replaceAll('\n', `\n${guard}`).replaceAll(':', `${guard}:`);
}

/** Text captured from the template itself: keeps its marks when it is printed. */
export function captured(text: string, guard: string | null): string {
  return guard === null || text === '' ? text : guard + guard + text;
}

/** A value on its way into an operation: its marks are taken off, so that the result counts as a value. */
export function cleaned(value: unknown, guard: string | null): unknown {
  if (guard === null) return value;
  if (typeof value === 'string') return withoutGuard(value, guard);
  return value instanceof Markup && value.text.includes(guard) ? new Markup(withoutGuard(value.text, guard)) : value;
}

function withoutGuard(text: string, guard: string): string {
  return text.includes(guard) ? text.replaceAll(guard, '') : text;
}

/** A pattern that finds no room says so as a mistake in the pattern. It is asked for where there is hardly any room. */
function isStackOverflow(error: unknown): boolean {
  if (error instanceof RangeError) return error.message === 'Maximum call stack size exceeded';
  return error instanceof SyntaxError && error.message.endsWith('Stack overflow');
}

/** Gives an error its place, unless it has one. */
export function located(error: unknown, node: { readonly start: number; readonly end: number }): unknown {
  const place = { start: node.start, end: node.end };
  if (error instanceof PythonError)
    return new TemplateError({ errorClass: error.errorClass, message: error.message, place });
  if (isStackOverflow(error))
    return new TemplateError({ errorClass: 'RecursionError', message: 'maximum recursion depth exceeded', place });
  if (error instanceof RangeError)
    return new TemplateError({ errorClass: 'MemoryError', message: error.message, place });
  return error;
}
