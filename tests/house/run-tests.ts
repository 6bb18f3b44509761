import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * `pnpm test`. Up to three files that failed, or whose process Node ended (V8: "jit_page.has_value()"), are run once more,
 * one after the other with the machine to themselves, and named: what fails alone too is wrong, what passes alone depends
 * on the load and wants mending.
 */
const vitest = `${dirname(createRequire(import.meta.url).resolve('vitest/package.json'))}/vitest.mjs`;
/** Behind the name of its project, whichever it is: between lines where no colours are written. */
const failedFile = /^\s*FAIL\s+(?:\|?\w+\|?\s+)?(\S+\.test\.ts)/gm;
const endedFile = /Worker exited unexpectedly[^\n]* test file (\S+)/g;
const counted = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;
const maxAgain = 3;

interface Ended {
  readonly status: number;
  readonly text: string;
  readonly passed: number;
  readonly skipped: number;
}

async function run(words: readonly string[]): Promise<Ended> {
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
  text = stripVTControlCharacters(text);
  const [, passed = 0, , skipped = 0] = ([...text.matchAll(counted)].at(-1) ?? []).map(Number);
  return { status, text, passed, skipped };
}

const first = await run(process.argv.slice(2));
const named = [...first.text.matchAll(failedFile), ...first.text.matchAll(endedFile)].map(([, file = '']) => file);
const files = [...new Set(named)];
process.exitCode = first.status;
if (first.status !== 0 && files.length > 0 && files.length <= maxAgain) {
  process.stdout.write(`\nrun once more, with the machine to themselves: ${files.join(' ')}\n`);
  const { length: failed } = [...new Set(first.text.match(/^\s*FAIL\s.*$/gm) ?? [])];
  const again = await run([...files, '--no-file-parallelism']);
  process.exitCode = again.status;
  if (again.status === 0) {
    process.stdout.write(`\npassed alone, failed beside the others: ${files.join(' ')}\n`);
    process.stdout.write(`${first.passed + failed} passed, 0 failed, ${first.skipped} skipped\n`);
  }
}
