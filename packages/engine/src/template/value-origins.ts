import type { Arguments, Expression, Statement } from './ast.ts';
import { targetNames } from './scope.ts';

/** Names of the template's variables whose values the text of a node can come from, however they are changed on the way. */
export type Origins = (...nodes: readonly unknown[]) => readonly string[];

/**
 * Follows names through loops, `set`, `with`, macros and methods that change a list. Rather one name too many than one
 * too few: a name counts wherever in the template it is given its value, and a parameter may be any argument.
 */
export function valueOrigins(body: readonly Statement[]): Origins {
  const sources = new Map<string, unknown[]>();
  noteSources(body, sources);
  return (...nodes) => {
    const found = new Set<string>();
    const follow = (node: unknown): void => {
      for (const name of namesIn(node)) {
        if (found.has(name)) continue;
        found.add(name);
        for (const source of sources.get(name) ?? []) follow(source);
      }
    };
    for (const node of nodes) follow(node);
    return [...found];
  };
}

type Sources = Map<string, unknown[]>;

function noteSources(node: unknown, sources: Sources): void {
  if (Array.isArray(node)) {
    for (const child of node) noteSources(child, sources);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  noteSource(node as Statement | Expression, sources);
  for (const child of Object.values(node)) noteSources(child, sources);
}

function noteSource(node: Statement | Expression, sources: Sources): void {
  switch (node.typename) {
    case 'For':
      return note(sources, namesOf(node.target), node.iterated);
    case 'Set':
      return note(sources, namesOf(node.target), node.value);
    case 'Capture':
      return note(sources, namesOf(node.target), [node.body, node.filter]);
    case 'With':
      for (const [at, target] of node.targets.entries()) note(sources, namesOf(target), node.values[at]);
      return;
    case 'Macro':
      note(sources, [node.name], [node.body, node.parameters.defaults]);
      return noteParameters(sources, node.parameters.names);
    case 'Caller':
      note(sources, ['caller'], node.body);
      return noteParameters(sources, node.parameters.names);
    case 'FunCall':
      return noteCall(sources, node.name, node.arguments);
    default:
  }
}

/** Stands for the arguments of every call: it is no name a template can write. */
const anyArgument = ' arguments';

function noteParameters(sources: Sources, names: readonly string[]): void {
  note(sources, [...names, 'varargs', 'kwargs'], { typename: 'Symbol', value: anyArgument });
}

/** A method may change what it is called on: `found.append(hit)`. */
function noteCall(sources: Sources, called: Expression, given: Arguments): void {
  note(sources, [anyArgument], given);
  if (called.typename === 'LookupVal') note(sources, namesIn(called.target), given);
}

function note(sources: Sources, names: Iterable<string>, source: unknown): void {
  for (const name of names) sources.set(name, [...(sources.get(name) ?? []), source]);
}

function namesOf(target: Expression): ReadonlySet<string> {
  if (target.typename === 'NamespaceTarget') return new Set([target.name]);
  const names = new Set<string>();
  targetNames(target, names);
  return names;
}

function namesIn(node: unknown, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) for (const child of node) namesIn(child, names);
  else if (typeof node === 'object' && node !== null) {
    const { typename, value } = node as { typename?: string; value?: unknown };
    if (typename === 'Symbol') names.add(String(value));
    else for (const child of Object.values(node)) namesIn(child, names);
  }
  return names;
}
