import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A source file of the project, by its path from the project's folder, and what it imports. */
export interface SourceImports {
  readonly file: string;
  readonly imports: readonly ImportedFrom[];
}

export interface ImportedFrom {
  /** As written: `./plan.ts`, `@unroll/engine`, `node:fs`. */
  readonly from: string;
  /** What is imported by name; empty for an import of the whole. */
  readonly names: readonly string[];
  /** `import('…')`: not loaded before it is reached. */
  readonly isLazy?: true;
  /** `import type`: nothing is loaded. */
  readonly isType?: true;
}

/** The imports of every TypeScript and JavaScript source below the folders, in the order of their paths. */
export function readImports(root: string, folders: readonly string[]): readonly SourceImports[] {
  return folders
    .flatMap((folder) => sourcesBelow(root, folder))
    .sort()
    .map((file) => ({ file, imports: importsOf(readFileSync(join(root, file), 'utf8')) }));
}

/** Import and export statements, and `import('…')` of a plain text. */
export function importsOf(text: string): readonly ImportedFrom[] {
  const statements = [...text.matchAll(/^(?:import|export)\s([^;'"`]*?)\sfrom\s+'([^']+)'/gm)].map(
    ([, clause = '', from = '']) => ({
      from,
      names: namesOf(clause),
      ...(/^type\s/.test(clause) ? { isType: true as const } : {}),
    }),
  );
  const bare = [...text.matchAll(/^import\s+'([^']+)'/gm)].map(([, from = '']) => ({ from, names: [] }));
  const lazy = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(([, from = '']) => ({
    from,
    names: [],
    isLazy: true as const,
  }));
  return [...statements, ...bare, ...lazy];
}

function namesOf(clause: string): readonly string[] {
  const inner = /\{([^}]*)\}/s.exec(clause)?.[1] ?? '';
  return inner
    .split(',')
    .map((name) => name.replace(/^\s*type\s/, '').trim())
    .flatMap((name) => (name === '' ? [] : [name.split(/\s/)[0] ?? name]));
}

/** Links are not followed: below `node_modules` they lead to the whole of every dependency. */
function sourcesBelow(root: string, folder: string): readonly string[] {
  const found = globSync(`${folder}/**/*.{ts,tsx,js,mjs}`, {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist)$/.test(path),
  });
  return found.map((path) => path.replaceAll('\\', '/'));
}
