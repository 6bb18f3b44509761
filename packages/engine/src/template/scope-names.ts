import type { Expression, Statement } from './ast.ts';

/** What the statements of one scope do with names, by the rules and in the order of jinja2.idtracking. */
export interface ScopeNames {
  /** Names the scope sets. */
  readonly stored: ReadonlySet<string>;
  /** Names the scope reads or sets. */
  readonly referred: ReadonlySet<string>;
  /** Names that are set before any statement of the scope reads them, and not on some branch only: until then they are undefined. */
  readonly unset: ReadonlySet<string>;
}

interface Seen {
  readonly stored: Set<string>;
  readonly referred: Set<string>;
  readonly unset: Set<string>;
}

/**
 * Of one scope: bodies of loops, macros, blocks and captures within it are scopes of their own.
 * @param own what the scope begins with: targets of a loop, parameters
 */
export function scopeNames(body: readonly Statement[], own: Iterable<string> = []): ScopeNames {
  const seen: Seen = { stored: new Set(), referred: new Set(own), unset: new Set() };
  for (const node of body) visit(node, seen);
  return seen;
}

function visit(node: Statement, seen: Seen): void {
  for (const name of symbolsOf(partsRead(node))) seen.referred.add(name);
  if (node.typename === 'If') visitBranches([node.body, node.else_], seen);
  for (const name of namesSet(node)) {
    seen.stored.add(name);
    if (!seen.referred.has(name)) seen.unset.add(name);
    seen.referred.add(name);
  }
}

/** What of a statement is read in the scope it stands in, before it sets anything. */
function partsRead(node: Statement): unknown {
  switch (node.typename) {
    case 'Output':
      return node.expression;
    case 'For':
      return node.iterated;
    case 'If':
      return node.cond;
    case 'Set':
      return [node.value, namespacesOf(node.target)];
    case 'Caller':
      return node.call;
    case 'FilterBlock':
      return node.filter;
    case 'With':
      return node.values;
    case 'Extends':
    case 'Import':
    case 'Include':
    case 'FromImport':
      return node.template;
    default:
      return [];
  }
}

function namesSet(node: Statement): Iterable<string> {
  switch (node.typename) {
    case 'Set':
    case 'Capture':
      return targetNames(node.target);
    case 'Macro':
      return [node.name];
    case 'Import':
    case 'FromImport':
      return node.names;
    default:
      return [];
  }
}

/** What only a branch sets is, without it, what it is outside. */
function visitBranches(branches: readonly (readonly Statement[])[], seen: Seen): void {
  const inBranches = branches.map((body) => {
    const own: Seen = { stored: new Set(), referred: new Set(seen.referred), unset: new Set() };
    for (const node of body) visit(node, own);
    return own;
  });
  for (const { stored, referred } of inBranches) {
    for (const name of stored) seen.stored.add(name);
    for (const name of referred) seen.referred.add(name);
  }
}

/** The names a target sets. */
export function targetNames(target: Expression): ReadonlySet<string> {
  if (target.typename === 'Symbol') return new Set([target.value]);
  if (target.typename !== 'Group') return new Set();
  return new Set(target.children.flatMap((child) => [...targetNames(child)]));
}

/** `name` of targets that are an attribute of a namespace, as what is read. */
function namespacesOf(target: Expression): unknown {
  if (target.typename === 'NamespaceTarget') return { typename: 'Symbol', value: target.name };
  return target.typename === 'Group' ? target.children.map(namespacesOf) : [];
}

/** The names that are read anywhere below a node. */
export function symbolsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(symbolsOf);
  if (typeof node !== 'object' || node === null) return [];
  const { typename, value } = node as { typename?: string; value?: unknown };
  if (typename === 'Symbol') return [String(value)];
  return Object.values(node).flatMap(symbolsOf);
}
