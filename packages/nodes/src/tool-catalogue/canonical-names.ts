import { createHash } from 'node:crypto';
import type { DescribedTool } from './catalogue-tool.ts';

/** Longest name that OpenAI's API takes for a function. */
const longest = 64;
const hashLength = 8;

/** What a model may be told as the name of a tool. */
export function isCanonicalName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/**
 * The names that a model is told, one for each tool: its own name with other characters as `_`; where two tools would share
 * it, `_for_` and what each belongs to follows; where they would share that too, or a name would be too long or lose its
 * letters, eight digits of a digest of the whole name follow. No two tools share a name, not even but for case, and the name
 * of a tool hangs on the tool and its namesakes only, never on the order of the files.
 */
export function canonicalNames(tools: readonly DescribedTool[]): readonly string[] {
  const own = tools.map((tool) => cleaned(tool.own));
  const owned = tools.map((tool, at) => withOwner(own[at] ?? '', tool));
  const taken = countClaims([...own, ...owned.filter((name, at) => name !== own[at])]);
  return tools.map((tool, at) => {
    const names = [own[at] ?? '', owned[at] ?? ''];
    const free = names.find((name) => taken.get(name.toLowerCase()) === 1 && isCanonicalName(name));
    if (free !== undefined && hasItsLetters(tool)) return free;
    return `${(names[1] ?? '').slice(0, longest - hashLength - 1) || 'tool'}_${digest(tool)}`;
  });
}

function countClaims(names: readonly string[]): ReadonlyMap<string, number> {
  const claims = new Map<string, number>();
  for (const name of names) claims.set(name.toLowerCase(), (claims.get(name.toLowerCase()) ?? 0) + 1);
  return claims;
}

/** What tells a tool from all others. */
export function identityOf({ category, group, own }: DescribedTool): string {
  return JSON.stringify([category, group, own]);
}

function withOwner(name: string, { group }: DescribedTool): string {
  const owner = cleaned(group);
  return owner === '' || name === '' ? name : `${name}_for_${owner}`;
}

function cleaned(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** A name that is not written in ASCII letters has nothing left to tell it by. */
function hasItsLetters({ own }: DescribedTool): boolean {
  return /[A-Za-z0-9]/.test(own) && !/[^\p{ASCII}]/u.test(own);
}

function digest(tool: DescribedTool): string {
  return createHash('sha256').update(identityOf(tool)).digest('hex').slice(0, hashLength);
}
