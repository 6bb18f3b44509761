import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../package-root.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built command, for `node` to run. */
    readonly builtFlow: string;
  }
}

/** Where it is built, for the other projects of vitest: each of them has its own copy of this module. */
const builtAt = 'UNROLL_BUILT_FLOW';

/** Builds the command line once for a run of tests: started from its sources it takes two to four times as long. */
export function setup({ provide }: TestProject): () => void {
  const there = process.env[builtAt];
  if (there !== undefined) {
    provide('builtFlow', there);
    return () => undefined;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-built-')));
  // Some tests start it as another user.
  chmodSync(folder, 0o755);
  execFileSync(process.execPath, [join(packageRoot, 'build.ts'), join(folder, 'dist')], { stdio: 'inherit' });
  for (const name of ['package.json', 'templates', 'node_modules'])
    symlinkSync(join(packageRoot, name), join(folder, name));
  const flow = join(folder, 'dist/flow.js');
  process.env[builtAt] = flow;
  provide('builtFlow', flow);
  return () => rmSync(folder, { recursive: true, force: true });
}
