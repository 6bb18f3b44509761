import { equals } from './python-comparison.ts';
import { type Keywords, PyFunction, PyIterator, PyObject, tuple, Undefined } from './python-types.ts';
import { raise } from './template-error.ts';

/** The `loop` of a for: where it is, what is beside it. */
export class LoopContext extends PyObject {
  at = 0;
  readonly items: readonly unknown[];
  readonly depth0: number;
  private lastChanged: unknown[] | undefined;
  private readonly strict: boolean;

  constructor(
    items: readonly unknown[],
    depth0: number,
    strict: boolean,
    recurse: ((args: readonly unknown[], keywords: Keywords) => unknown) | null,
  ) {
    super(
      'LoopContext',
      (name) => this.read(name),
      () => `<LoopContext ${this.at + 1}/${this.items.length}>`,
      recurse ??
        ((): never => raise('TypeError', "The loop must have the 'recursive' marker to be called recursively.")),
    );
    this.items = items;
    this.depth0 = depth0;
    this.strict = strict;
  }

  private read(name: string): unknown {
    switch (name) {
      case 'index':
        return this.at + 1;
      case 'index0':
        return this.at;
      case 'revindex':
        return this.items.length - this.at;
      case 'revindex0':
        return this.items.length - this.at - 1;
      case 'first':
        return this.at === 0;
      case 'last':
        return this.at === this.items.length - 1;
      case 'length':
        return this.items.length;
      case 'depth':
        return this.depth0 + 1;
      case 'depth0':
        return this.depth0;
      case 'previtem':
        return this.at === 0 ? new Undefined('there is no previous item', this.strict) : this.items[this.at - 1];
      case 'nextitem':
        return this.at + 1 === this.items.length
          ? new Undefined('there is no next item', this.strict)
          : this.items[this.at + 1];
      case 'cycle':
        return new PyFunction('cycle', (args) => this.cycle(args), 'method');
      case 'changed':
        return new PyFunction('changed', (args) => this.changed(args), 'method');
      case '__iter__':
        return new PyIterator(this.items.slice(this.at + 1).map((item) => tuple([item, this])));
      default:
        return undefined;
    }
  }

  private cycle(args: readonly unknown[]): unknown {
    if (args.length === 0) return raise('TypeError', 'no items for cycling given');
    return args[this.at % args.length];
  }

  private changed(args: readonly unknown[]): boolean {
    if (this.lastChanged !== undefined && equals(this.lastChanged, [...args])) return false;
    this.lastChanged = [...args];
    return true;
  }
}
