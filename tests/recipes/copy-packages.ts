import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the sources of all packages to a folder. They find each other there, and other packages where ours find them. */
export function copyPackages(root: string, target: string): void {
  for (const name of readdirSync(join(root, 'packages'))) {
    const from = join(root, 'packages', name);
    const to = join(target, 'packages', name);
    for (const part of ['package.json', 'src', 'bin', 'templates'])
      if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
    linkDependencies(join(from, 'node_modules'), join(to, 'node_modules'), join(target, 'packages'));
  }
  cpSync(join(root, 'package.json'), join(target, 'package.json'));
}

function linkDependencies(from: string, to: string, packages: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue;
    if (name !== '@unroll') {
      symlinkSync(join(from, name), join(to, name), 'dir');
      continue;
    }
    mkdirSync(join(to, name));
    for (const ours of readdirSync(join(from, name))) symlinkSync(join(packages, ours), join(to, name, ours), 'dir');
  }
}
