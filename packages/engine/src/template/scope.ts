import type { Expression, Statement } from './ast.ts';

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

/** Names that statements of one scope assign. */
export class Scope {
  readonly names = new Map<string, number>();
  readonly parent: Scope | null;
  readonly layout: FrameLayout;

  constructor(parent: Scope | null, layout: FrameLayout) {
    this.parent = parent;
    this.layout = layout;
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

/** The names a list of statements assigns in its own scope: not those of inner scopes. */
export function assignedNames(body: readonly Statement[], names: Set<string> = new Set()): Set<string> {
  for (const node of body) {
    if (node.typename === 'Set' || node.typename === 'Capture') targetNames(node.target, names);
    else if (node.typename === 'Macro') names.add(node.name);
    else if (node.typename === 'If') {
      assignedNames(node.body, names);
      assignedNames(node.else_, names);
    } else if (node.typename === 'Import' || node.typename === 'FromImport') {
      for (const name of node.names) names.add(name);
    }
  }
  return names;
}

export function targetNames(target: Expression, names: Set<string>): void {
  if (target.typename === 'Symbol') names.add(target.value);
  else if (target.typename === 'Group') for (const child of target.children) targetNames(child, names);
}

/** Whether a name is read anywhere below a node. */
export function mentions(node: unknown, name: string): boolean {
  if (Array.isArray(node)) return node.some((child) => mentions(child, name));
  if (typeof node !== 'object' || node === null) return false;
  const { typename, value } = node as { typename?: string; value?: unknown };
  if (typename === 'Symbol' && value === name) return true;
  return Object.values(node).some((child) => mentions(child, name));
}
