import { enableCompileCache } from 'node:module';

// With its types stripped once, a file needs no compiler of TypeScript at the next start: 15 MB and 40 ms less. That compiler
// is WebAssembly, and much of it in several threads at once can end the process: V8 of Node 24 fails where it compiles the
// calls out of it again (Runtime_TierUpWasmToJSWrapper, "jit_page.has_value()"), which it does after some twenty files.
enableCompileCache();
// Not imported before: the cache is to serve it too.
await import('./thread-main.ts');
