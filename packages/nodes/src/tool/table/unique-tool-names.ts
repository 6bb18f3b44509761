import { textHash } from '@unroll/engine';

/** OpenAI's API takes no longer ones. */
const longest = 64;
const digits = 8;

/**
 * The names by which a model is told tools: other characters than letters, digits, `_` and `-` are `_`; where that would be too
 * long, or the same for two of them, it is cut and eight digits of a digest of the whole name follow.
 *
 * @param names as an OpenAPI document or a server calls its tools, each once
 * @returns one for each, in their order
 */
export function uniqueToolNames(names: readonly string[]): readonly string[] {
  const cleaned = names.map((name) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_'));
  const claims = new Map<string, number>();
  for (const name of cleaned) claims.set(name, (claims.get(name) ?? 0) + 1);
  return cleaned.map((name, at) => {
    if (name.length <= longest && claims.get(name) === 1) return name;
    return `${name.slice(0, longest - digits - 1)}_${textHash(names[at] ?? '').slice(0, digits)}`;
  });
}
