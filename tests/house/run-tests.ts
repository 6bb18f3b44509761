import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * `pnpm test`. Node 24 now and then ends a process with many threads by itself (V8: "jit_page.has_value()"); the files of
 * such a process are run once more, and it is said. A test that fails is never run again.
 */
const vitest = `${dirname(createRequire(import.meta.url).resolve('vitest/package.json'))}/vitest.mjs`;
const ended = /Worker exited unexpectedly with signal (?:SIGSEGV|SIGTRAP)[^\n]* test file (\S+)/g;
const counted = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

async function run(words: readonly string[]): Promise<{ readonly status: number; readonly text: string }> {
  const child = spawn(process.execPath, [vitest, 'run', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const tee = (from: NodeJS.ReadableStream, to: NodeJS.WritableStream): void => {
    from.setEncoding('utf8').on('data', (piece: string) => {
      to.write(piece);
      text += piece;
    });
  };
  tee(child.stdout, process.stdout);
  tee(child.stderr, process.stderr);
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  return { status, text: stripVTControlCharacters(text) };
}

const first = await run(process.argv.slice(2));
const files = [...new Set([...first.text.matchAll(ended)].map(([, file = '']) => file))];
const [, passed = 0, failed = 0, skipped = 0] = ([...first.text.matchAll(counted)].at(-1) ?? []).map(Number);
if (files.length === 0 || failed > files.length) process.exitCode = first.status;
else {
  process.stdout.write(
    `\nNode itself ended ${files.length} processes; their files are run once more: ${files.join(' ')}\n`,
  );
  const again = await run(files);
  const [, more = 0, wrong = 0, left = 0] = ([...again.text.matchAll(counted)].at(-1) ?? []).map(Number);
  process.stdout.write(`\n${passed + more} passed, ${wrong} failed, ${skipped + left} skipped\n`);
  process.exitCode = again.status;
}
