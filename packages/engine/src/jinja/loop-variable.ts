import { equals } from './operators.ts';
import { Callable, Tuple } from './python-values.ts';
import type { Runtime } from './runtime.ts';
import { fail } from './template-error.ts';

/** The `loop` of a `for`: its members as Jinja2's LoopContext has them. */
export class LoopVariable extends Callable {
  private readonly items: readonly unknown[];
  private at = -1;
  private last: unknown;
  private hasLast = false;

  constructor(
    items: readonly unknown[],
    depth: number,
    runtime: Runtime,
    recurse: ((items: unknown) => unknown) | undefined,
  ) {
    super(
      'loop',
      ([nested]) =>
        recurse === undefined
          ? fail('TypeError', "The loop must have the 'recursive' marker to be called recursively.")
          : recurse(nested),
      '<LoopContext>',
    );
    this.items = items;
    const self = this;
    const members: object = {
      get index() {
        return self.at + 1;
      },
      get index0() {
        return self.at;
      },
      get first() {
        return self.at === 0;
      },
      get last() {
        return self.at === items.length - 1;
      },
      get length() {
        return items.length;
      },
      get revindex() {
        return items.length - self.at;
      },
      get revindex0() {
        return items.length - self.at - 1;
      },
      get depth() {
        return depth;
      },
      get depth0() {
        return depth - 1;
      },
      get previtem() {
        return self.at === 0 ? runtime.undefined('there is no previous item') : items[self.at - 1];
      },
      get nextitem() {
        return self.at === items.length - 1 ? runtime.undefined('there is no next item') : items[self.at + 1];
      },
      cycle: new Callable('cycle', (values) =>
        values.length === 0 ? fail('TypeError', 'no items for cycling given') : values[self.at % values.length],
      ),
      changed: new Callable('changed', (values) => self.changed(values)),
    };
    Object.defineProperty(this, 'members', { value: members });
  }

  /** Moves on; undefined at the end. */
  advance(): { readonly item: unknown } | undefined {
    this.at += 1;
    return this.at < this.items.length ? { item: this.items[this.at] } : undefined;
  }

  private changed(values: readonly unknown[]): boolean {
    const now = Tuple.of2(...values);
    const isSame = this.hasLast && equals(this.last, now);
    this.last = now;
    this.hasLast = true;
    return !isSame;
  }
}
