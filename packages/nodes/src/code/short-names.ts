import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether a name stands for a file of one's own: by `paths` or `baseUrl` of the nearest tsconfig.json, which compilers and
 * bundlers read and Node does not. A package of that name is somebody else's.
 *
 * @param path of the importing file, absolute
 */
export function isShortName(name: string, path: string): boolean {
  if (/^[@~]\//.test(name)) return true;
  const config = configAbove(dirname(path));
  if (config === undefined) return false;
  const text = withoutComments(readFileSync(config, 'utf8'));
  const paths = /"paths"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
  const names = [...paths.matchAll(/"([^"]+)"\s*:\s*\[/g)].map(([, short = '']) => short);
  return names.some((short) => fits(name, short)) || isBelow(name, config, /"baseUrl"\s*:\s*"([^"]+)"/.exec(text)?.[1]);
}

function configAbove(folder: string): string | undefined {
  for (let next = folder; ; next = dirname(next)) {
    const path = join(next, 'tsconfig.json');
    if (existsSync(path)) return path;
    if (next === dirname(next)) return undefined;
  }
}

/** A comment may hold what a text does, and a text what looks like a comment: `"@lib/*"`. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : ''));
}

function fits(name: string, short: string): boolean {
  // It stands for every name: packages that are not installed are among them.
  if (short === '*') return false;
  const [before = '', after] = short.split('*');
  if (after === undefined) return name === short;
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

function isBelow(name: string, config: string, base: string | undefined): boolean {
  if (base === undefined) return false;
  const target = join(dirname(config), base, name);
  return ['', '.ts', '.tsx', '.js', '/index.ts', '/index.js'].some((ending) => existsSync(target + ending));
}
