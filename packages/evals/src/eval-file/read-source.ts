import { isMapping, type Value, type Values } from '@unroll/engine';
import type { Source } from './eval-spec.ts';
import { parseSteps, parseTarget } from './target.ts';

/** A written value that is read for each row: `${row.…}`, `${outputs.…}`, `${node.…}`, a list or a mapping of these, or a literal. */
export function readSource(value: Value): Source | { readonly wrong: string } {
  if (Array.isArray(value)) return readList(value);
  if (isMapping(value)) return readMapping(value);
  const written = typeof value === 'string' ? /^\$\{(.*)\}$/s.exec(value)?.[1] : undefined;
  if (written === undefined) return { from: 'literal', value };
  const [, rest] = /^(?:row|data)((?:[.[]).*)$/s.exec(written) ?? [];
  if (rest !== undefined) {
    const steps = parseSteps(rest);
    return steps === undefined ? { wrong: written } : { from: 'column', text: `row${rest}`, steps, isImplied: false };
  }
  const target = parseTarget(written);
  return target === undefined ? { wrong: written } : { from: 'target', target };
}

function readList(value: readonly Value[]): Source | { readonly wrong: string } {
  const members = value.map(readSource);
  const wrong = members.find((member) => 'wrong' in member);
  if (wrong !== undefined) return wrong;
  const sources = members as readonly Source[];
  return sources.every(({ from }) => from === 'literal')
    ? { from: 'literal', value }
    : { from: 'list', members: sources };
}

function readMapping(value: Values): Source | { readonly wrong: string } {
  const members = Object.entries(value).map(([name, member]) => [name, readSource(member)] as const);
  const wrong = members.map(([, member]) => member).find((member) => 'wrong' in member);
  if (wrong !== undefined) return wrong;
  const sources = Object.fromEntries(members) as Readonly<Record<string, Source>>;
  const isLiteral = Object.values(sources).every(({ from }) => from === 'literal');
  return isLiteral ? { from: 'literal', value } : { from: 'mapping', members: sources };
}
