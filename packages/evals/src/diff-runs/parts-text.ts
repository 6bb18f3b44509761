import type { PartChange } from '../attribute-changes/attribution.ts';
import { isProgram } from '../attribute-changes/program-change.ts';

/** Kinds of parts whose names say little to a reader; the rest of a part's name is kept: `template ask.jinja2`, `input query`. */
const words: Readonly<Record<string, string>> = {
  template: 'prompt',
  key: 'setting',
  type: 'node type',
  reads: 'data',
  lists: 'folder',
  variable: 'environment variable',
  activate: 'condition',
  inputs: 'what it reads',
  times: 'number of iterations',
  environment: 'something outside its definition',
  answering: 'the connection that answered',
};

/**
 * Parts of a definition in words: `prompt ask.jinja2 and input temperature (0 → 0.7) changed`; of the program alone
 * `Unroll 0.1.0 (build 4f1c2a9b03de) → 0.1.1 (build 9a33e0c1d752)`.
 */
export function partsText(parts: readonly PartChange[]): string {
  const named = parts.map(partText);
  if (parts.length > 0 && parts.every(isProgram)) return named.join(', ');
  const last = named.at(-1) ?? '';
  const list = named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
  return `${list} changed`;
}

function partText({ part, left, right }: PartChange): string {
  if (isProgram({ part })) return `${part} ${left} → ${right}`;
  const name = part.replace(/^\w+/, (kind) => words[kind] ?? kind);
  return left === undefined && right === undefined ? name : `${name} (${left ?? 'none'} → ${right ?? 'none'})`;
}
