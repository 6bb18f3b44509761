/**
 * A typed place for what one part of the program keeps with each row, or with each flow that is made ready. It is made once,
 * beside the code that uses it; what is kept there ends with the row or the flow.
 */
export class ScopeSlot<T> {
  declare private readonly holds: T;
  /** What is kept, for whoever debugs: `python workers`. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** What has slots: a row, or a flow that is made ready. */
export interface SlottedScope {
  /** What is kept in the slot; where nothing is yet, what `create` makes is kept from then on. */
  kept<T>(slot: ScopeSlot<T>, create: () => T): T;
}

/** The flow for which nodes are made ready. */
export interface FlowScope extends SlottedScope {}

export class ScopeSlots implements SlottedScope {
  #values: Map<ScopeSlot<unknown>, unknown> | undefined;

  kept<T>(slot: ScopeSlot<T>, create: () => T): T {
    this.#values ??= new Map();
    if (!this.#values.has(slot)) this.#values.set(slot, create());
    return this.#values.get(slot) as T;
  }
}
