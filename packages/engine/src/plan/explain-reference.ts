// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowSpec } from '../flow/flow-spec.ts';
import { outputReference, type Reference } from '../flow/reference.ts';
import { didYouMean, nearestName } from '../source/nearest-name.ts';

export interface Explanation {
  readonly message: string;
  readonly help?: string;
}

/** Why a reference to a node that does not exist does not, and what may have been meant. */
export function explainUnknownNode(spec: FlowSpec, name: string, text: string): Explanation {
  if (name === '')
    return { message: `"${text}" names no node`, help: 'for instance `${node.output}`, `${inputs.name}`' };
  if (name === 'loop') {
    return {
      message: `"${text}" means something only in the nodes of a loop`,
      help: 'outside, `${<loop>.output}` is its result',
    };
  }
  if (/^inputs?$/i.test(name)) {
    return {
      message: `there is no node "${name}"`,
      help: `did you mean \`${text.replace(name, 'inputs')}\`, an input of the flow?`,
    };
  }
  const family = findFamily(spec, name);
  if (family !== undefined) {
    const last = outputReference(`${name}_${family.times}`);
    return {
      message: `"${name}" is a node of loop "${family.loop}", and there is one of each iteration`,
      help: `\`${last}\` is that of the last iteration, \`${outputReference(family.loop)}\` the result of the loop`,
    };
  }
  const message = `there is no node "${name}"`;
  if (name !== name.trim()) return { message, help: `write it without spaces: \`${text.replaceAll(/\s/g, '')}\`` };
  if (spec.inputs.some((input) => input.name === name)) {
    return { message, help: `the input of that name is \`\${inputs.${name}}\`` };
  }
  const names = [...new Set(spec.nodes.map((node) => node.name))];
  const help = didYouMean(name, names) ?? (names.length === 0 ? undefined : someOf('nodes', names));
  return help === undefined ? { message } : { message, help };
}

/** Why a reference to an input that the flow does not declare is wrong. */
export function explainUnknownInput(spec: FlowSpec, name: string): Explanation {
  const names = spec.inputs.map((input) => input.name);
  const message = `the flow has no input "${name}"`;
  const owner = names.find((input) => name.startsWith(`${input}.`) || name.startsWith(`${input}[`));
  if (owner !== undefined) {
    return { message, help: `\`\${inputs.${owner}}\` is given as a whole: take it apart in the node` };
  }
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return { message, help: `did you mean \`\${inputs.${nearest}}\`?` };
  return { message, help: names.length === 0 ? 'declare it under `inputs`' : someOf('inputs', names) };
}

/** Why a section other than `output` cannot be read. */
export function explainSection({ node, section, property }: Extract<Reference, { kind: 'node' }>): Explanation {
  const message = `a node has an output and no "${section}"`;
  const indexed = /^output(\[.*)$/.exec(section)?.[1];
  if (indexed !== undefined)
    return { message, help: `a property needs a second point: \`\${${node}.output.${indexed}}\`` };
  if (nearestName(section, ['output']) !== undefined) return { message, help: 'did you mean "output"?' };
  const path = property === '' ? section : `${section}.${property}`;
  return { message, help: `did you mean \`${outputReference(node, path)}\`?` };
}

function findFamily(spec: FlowSpec, name: string): { readonly loop: string; readonly times: number } | undefined {
  const members = spec.nodes.flatMap(({ instance }) =>
    instance !== undefined && instance.family === name && instance.iteration > 0 ? [instance] : [],
  );
  const [first] = members;
  if (first === undefined) return undefined;
  return { loop: first.loop, times: Math.max(...members.map(({ iteration }) => iteration)) };
}

const mostNames = 8;

function someOf(kind: string, names: readonly string[]): string {
  const more = names.length > mostNames ? ', …' : '';
  return `the ${kind} are ${names.slice(0, mostNames).join(', ')}${more}`;
}
