/** Where names of a template live, worked out once: the slots of one call, block by block. */
export class Scope {
  readonly outer: Scope | undefined;
  readonly call: CallLayout;
  private readonly names = new Map<string, number>();

  constructor(call: CallLayout, outer: Scope | undefined) {
    this.call = call;
    this.outer = outer;
  }

  /** The slot of a name that is assigned in this block. */
  declare(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const slot = this.call.size;
    this.call.size += 1;
    this.names.set(name, slot);
    return slot;
  }

  own(name: string): number | undefined {
    return this.names.get(name);
  }

  /** Slots that are set anew each time the block is entered. */
  slots(): readonly number[] {
    return [...this.names.values()];
  }
}

/** Number of slots of a call of the template, or of a macro, and the call it was defined in. */
export class CallLayout {
  size = 0;
  readonly outer: Scope | undefined;
  constructor(outer: Scope | undefined) {
    this.outer = outer;
  }
}

/** A place to look for a name: so many calls out, at a slot. */
export interface Location {
  readonly depth: number;
  readonly slot: number;
}

/** All places a name may be found at, innermost first. */
export function locationsOf(name: string, from: Scope): readonly Location[] {
  const found: Location[] = [];
  let depth = 0;
  for (let scope: Scope | undefined = from; scope !== undefined; ) {
    const slot = scope.own(name);
    if (slot !== undefined) found.push({ depth, slot });
    if (scope.outer !== undefined) scope = scope.outer;
    else {
      scope = scope.call.outer;
      depth += 1;
    }
  }
  return found;
}
