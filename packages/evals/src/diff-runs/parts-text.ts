const words: Readonly<Record<string, string>> = {
  template: 'prompt',
  inputs: 'its inputs',
  times: 'number of iterations',
  environment: 'what it runs in',
};

/** Parts of a definition in words: `prompt and parameters changed`. */
export function partsText(parts: readonly string[]): string {
  const named = parts.map((part) => words[part] ?? part);
  const last = named.at(-1) ?? '';
  const list = named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
  return `${list} changed`;
}
