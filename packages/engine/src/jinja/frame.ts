import { Captured } from './python-values.ts';
import type { Runtime } from './runtime.ts';

/** Says that a slot holds nothing yet, so that the name is looked up further out. */
export const unset: unique symbol = Symbol('unset');

/** One call of a template or macro: its names by slot, and what it has printed so far. */
export class Frame {
  readonly slots: unknown[];
  readonly outer: Frame | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly runtime: Runtime;
  readonly guard: string;
  text = '';

  constructor(
    size: number,
    outer: Frame | undefined,
    variables: Readonly<Record<string, unknown>>,
    runtime: Runtime,
    guard: string,
  ) {
    this.slots = new Array<unknown>(size).fill(unset);
    this.outer = outer;
    this.variables = variables;
    this.runtime = runtime;
    this.guard = guard;
  }

  /** What `run` prints, as a value; what it printed of the template's own text stays told apart. */
  capture(run: () => void): unknown {
    const before = this.text;
    this.text = '';
    run();
    const captured = this.text;
    this.text = before;
    return this.guard === '' ? captured : new Captured(captured, this.guard);
  }
}

/** Marks what a value could pretend: every line break and colon in it gets the guard. */
export function guarded(text: string, guard: string): string {
  if (!/[\n:]/.test(text)) return text;
  return text.replaceAll('\n', `\n${guard}`).replaceAll(':', `${guard}:`);
}
