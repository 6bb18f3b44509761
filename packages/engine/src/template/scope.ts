import type { ScopeNames } from './scope-names.ts';

/** What a name is at compile time: slot `index` of the frame `depth` functions up. */
export interface Slot {
  readonly depth: number;
  readonly index: number;
  readonly isRoot: boolean;
}

/** One function at run time (the template, a macro, a block): its frame is an array of slots. */
export interface FrameLayout {
  readonly depth: number;
  size: number;
}

/** Slots 0 and 1 of a frame hold the frame outside and the state of the render. */
export const firstSlot = 2;

/** The names of one scope and their slots. */
export class Scope {
  readonly names = new Map<string, number>();
  readonly parent: Scope | null;
  readonly layout: FrameLayout;
  readonly #referred: ReadonlySet<string>;

  /** @param names what its statements read and set */
  constructor(parent: Scope | null, layout: FrameLayout, names: ScopeNames) {
    this.parent = parent;
    this.layout = layout;
    this.#referred = names.referred;
  }

  /** Whether this scope or one outside reads or sets the name. */
  refers(name: string): boolean {
    return this.#referred.has(name) || this.parent?.refers(name) === true;
  }

  declare(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const index = this.layout.size++;
    this.names.set(name, index);
    return index;
  }

  find(name: string, from: FrameLayout): Slot | undefined {
    const index = this.names.get(name);
    if (index !== undefined) return { depth: from.depth - this.layout.depth, index, isRoot: this.parent === null };
    return this.parent?.find(name, from);
  }
}
