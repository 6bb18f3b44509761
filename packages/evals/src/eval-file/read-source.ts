import type { Value } from '@unroll/engine';
import type { Source } from './eval-spec.ts';
import { parseSteps, parseTarget } from './target.ts';

/** A written value that is read for each row: `${row.…}`, `${outputs.…}`, `${node.…}`, a list of these, or a literal. */
export function readSource(value: Value): Source | { readonly wrong: string } {
  if (Array.isArray(value)) {
    const members = (value as readonly Value[]).map(readSource);
    const wrong = members.find((member) => 'wrong' in member);
    if (wrong !== undefined) return wrong;
    const sources = members as readonly Source[];
    return sources.every(({ from }) => from === 'literal')
      ? { from: 'literal', value }
      : { from: 'list', members: sources };
  }
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
