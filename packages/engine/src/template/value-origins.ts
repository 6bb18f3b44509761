import type { Arguments, Expression, NodeOf, Statement } from './ast.ts';
import { targetNames } from './scope-names.ts';

/** Names of the template's variables whose values the text of a node can come from, however they are changed on the way. */
export type Origins = (...nodes: readonly unknown[]) => readonly string[];

/**
 * Follows names through loops, `set`, `with`, macros and methods that change a list. Rather one name too many than one
 * too few: a name counts wherever in the template it is given its value, and a parameter may be any argument.
 */
export function valueOrigins(body: readonly Statement[]): Origins {
  const sources: Sources = new Map();
  noteSources(body, sources);
  return (...nodes) => {
    const found = namesIn(nodes);
    // What is added to a set while it is gone over is come to as well.
    for (const name of found) for (const source of sources.get(name) ?? []) found.add(source);
    return [...found];
  };
}

/** By name, the names that its values come from at once. */
type Sources = Map<string, Set<string>>;

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
  if (node.typename === 'For') note(sources, namesOf(node.target), node.iterated);
  else if (node.typename === 'Set') note(sources, namesOf(node.target), node.value);
  else if (node.typename === 'Capture') note(sources, namesOf(node.target), [node.body, node.filter]);
  else if (node.typename === 'With') noteWith(node, sources);
  else if (node.typename === 'Macro') noteMacro(node.name, node, sources);
  else if (node.typename === 'Caller') noteMacro('caller', node, sources);
  else if (node.typename === 'FunCall') noteCall(sources, node.name, node.arguments);
}

function noteWith({ targets, values }: NodeOf<'With'>, sources: Sources): void {
  for (const [at, target] of targets.entries()) note(sources, namesOf(target), values[at]);
}

function noteMacro(
  name: string,
  { body, parameters }: Pick<NodeOf<'Macro'>, 'body' | 'parameters'>,
  sources: Sources,
): void {
  note(sources, [name], [body, parameters.defaults]);
  note(sources, [...parameters.names, 'varargs', 'kwargs'], { typename: 'Symbol', value: anyArgument });
}

/** Stands for the arguments of every call: it is no name a template can write. */
const anyArgument = ' arguments';

/** A method may change what it is called on: `found.append(hit)`. */
function noteCall(sources: Sources, called: Expression, given: Arguments): void {
  note(sources, [anyArgument], given);
  if (called.typename === 'LookupVal') note(sources, namesIn(called.target), given);
}

function note(sources: Sources, names: Iterable<string>, source: unknown): void {
  for (const name of names) {
    const known = sources.get(name) ?? new Set();
    sources.set(name, namesIn(source, known));
  }
}

function namesOf(target: Expression): ReadonlySet<string> {
  if (target.typename === 'NamespaceTarget') return new Set([target.name]);
  return targetNames(target);
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
