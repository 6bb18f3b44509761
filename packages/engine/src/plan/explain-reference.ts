// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowSpec } from '../flow/flow-spec.ts';
import { outputReference, parseReference, type Reference } from '../flow/reference.ts';
import { createNameSearch, type NameSearch, nearestName } from '../source/nearest-name.ts';

export interface Explanation {
  readonly message: string;
  readonly help?: string;
}

/** The names a reference may go to, made ready once for all references of a flow. */
export interface KnownNames {
  readonly nodes: NameSearch;
  readonly inputs: NameSearch;
  /** Nodes as written in a loop, by their names. */
  readonly families: ReadonlyMap<string, Family>;
}

interface Family {
  readonly loop: string;
  readonly times: number;
}

export function knownNames({ nodes, inputs }: FlowSpec): KnownNames {
  const families = new Map<string, Family>();
  for (const { instance } of nodes) {
    if (instance === undefined || instance.iteration === 0) continue;
    const { loop, times } = families.get(instance.family) ?? { loop: instance.loop, times: 0 };
    families.set(instance.family, { loop, times: Math.max(times, instance.iteration) });
  }
  const nodeNames = createNameSearch(nodes.map(({ name }) => name));
  return { nodes: nodeNames, inputs: createNameSearch(inputs.map(({ name }) => name)), families };
}

/**
 * Why a reference to a node that does not exist does not, and what may have been meant.
 *
 * @param isInLoop whether it stands in a node of a loop, where `${loop.state}` is known
 */
export function explainUnknownNode(known: KnownNames, name: string, text: string, isInLoop = false): Explanation {
  if (name === '')
    return { message: `"${text}" names no node`, help: 'for instance `${node.output}`, `${inputs.name}`' };
  if (name === 'loop') {
    return {
      message: `"${text}" means something only in the nodes of a loop`,
      help: 'outside, `${<loop>.output}` is its result',
    };
  }
  if (/^inputs?$/i.test(name)) return { message: `there is no node "${name}"`, help: meantInput(name, text) };
  const family = known.families.get(name);
  if (family !== undefined) {
    const last = outputReference(`${name}_${family.times}`);
    return {
      message: `"${name}" is a node of loop "${family.loop}", and there is one of each iteration`,
      help: `\`${last}\` is that of the last iteration, \`${outputReference(family.loop)}\` the result of the loop`,
    };
  }
  const message = `there is no node "${name}"`;
  if (name !== name.trim()) return { message, help: `write it without spaces: \`${text.replaceAll(/\s/g, '')}\`` };
  if (known.inputs.names.has(name)) {
    return { message, help: `the input of that name is \`\${inputs.${name}}\`` };
  }
  const { names } = known.nodes;
  const inner = withoutFirst(text);
  if (names.has(inner.node)) return { message, help: `did you mean \`${inner.text}\`?` };
  const nearest = known.nodes.nearest(name);
  if (nearest !== undefined) return { message, help: `did you mean "${nearest}"?` };
  if (isInLoop && nearestName(name, ['loop']) !== undefined)
    return { message, help: `did you mean \`${text.replace(name, 'loop')}\`?` };
  if (nearestName(name, ['inputs']) !== undefined) return { message, help: meantInput(name, text) };
  return names.size === 0 ? { message } : { message, help: someOf('nodes', names) };
}

/** `${nodes.a.output}` as other flow languages write it, and as models do, is `${a.output}` here. */
function withoutFirst(text: string): { readonly text: string; readonly node: string } {
  const inner = `\${${text.slice(text.indexOf('.') + 1)}`;
  const reference = parseReference(inner);
  return { text: inner, node: reference?.kind === 'node' ? reference.node : '' };
}

function meantInput(name: string, text: string): string {
  return `did you mean \`${text.replace(name, 'inputs')}\`, an input of the flow?`;
}

/** Why a reference to an input that the flow does not declare is wrong. */
export function explainUnknownInput({ inputs }: KnownNames, name: string): Explanation {
  const message = `the flow has no input "${name}"`;
  const owner = ownersOf(name).find((input) => inputs.names.has(input));
  if (owner !== undefined) {
    return { message, help: `\`\${inputs.${owner}}\` is given as a whole: take it apart in the node` };
  }
  const nearest = inputs.nearest(name);
  if (nearest !== undefined) return { message, help: `did you mean \`\${inputs.${nearest}}\`?` };
  return { message, help: inputs.names.size === 0 ? 'declare it under `inputs`' : someOf('inputs', inputs.names) };
}

/** What a name would be a property of: all that stands before one of its points or brackets. */
function ownersOf(name: string): readonly string[] {
  return [...name.matchAll(/[.[]/g)].map(({ index }) => name.slice(0, index));
}

/** Why a section other than `output` cannot be read. */
export function explainSection({ node, section, property }: Extract<Reference, { kind: 'node' }>): Explanation {
  const message = `a node has an output and no "${section}"`;
  const indexed = /^output(\[.*)$/.exec(section)?.[1];
  if (indexed !== undefined) {
    const closed = /^\[[^[\]]+$/.test(indexed) ? `${indexed}]` : indexed;
    return { message, help: `a property needs a second point: \`\${${node}.output.${closed}}\`` };
  }
  if (nearestName(section, ['output']) !== undefined) return { message, help: 'did you mean "output"?' };
  const path = property === '' ? section : `${section}.${property}`;
  return { message, help: `did you mean \`${outputReference(node, path)}\`?` };
}

const maxNames = 8;

function someOf(kind: string, names: ReadonlySet<string>): string {
  const more = names.size > maxNames ? ', …' : '';
  return `the ${kind} are ${[...names.keys().take(maxNames)].join(', ')}${more}`;
}
