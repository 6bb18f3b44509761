import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of this package, from `src/` and from the bundle in `dist/` alike; holds `package.json` and `templates/`. */
export const packageRoot = fileURLToPath(new URL('..', import.meta.url));

export function packageVersion(): string {
  const text = readFileSync(`${packageRoot}/package.json`, 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
