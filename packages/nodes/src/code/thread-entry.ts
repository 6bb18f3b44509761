import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// With its types stripped once, a file needs no compiler of TypeScript at the next start: 15 MB and 40 ms less. That compiler
// is WebAssembly, and much of it in several threads at once can end the process: V8 of Node 24 fails where it compiles the
// calls out of it again (Runtime_TierUpWasmToJSWrapper, "jit_page.has_value()"), which it does after some twenty files.
// Where its folder cannot be made, as below /proc, Node would try for ever.
if (isThere(join(tmpdir(), 'node-compile-cache'))) enableCompileCache();
// Not imported before: the cache is to serve it too.
await import('./thread-main.ts');

function isThere(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
