import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, refusalOf } from '@unroll/engine';
import type { FlowPython } from './flow-python.ts';

export type SetUp =
  | { readonly ok: true }
  /** `help` says what to do; `said` is the end of what the tool printed. */
  | { readonly ok: false; readonly message: string; readonly help: string; readonly said: string };

export interface SetUpOptions {
  /** The machine's Python. */
  readonly python: string;
  /** Folder of the flow, which paths in its requirements count from. */
  readonly flowFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of each line that is printed on the way. */
  readonly onLine: (line: string) => void;
}

/** Makes the environment with Python's own `venv` and `pip`; what is half made is taken away. */
export async function setUpPython(own: FlowPython, options: SetUpOptions): Promise<SetUp> {
  try {
    rmSync(own.folder, { recursive: true, force: true });
    keepOutOfGit(dirname(own.folder));
  } catch (error) {
    const said = refusalOf(error) ?? (error as Error).message;
    return {
      ok: false,
      message: `${own.folder} cannot be made: ${said}`,
      help: 'The flow lies in a folder that can be written.',
      said,
    };
  }
  const made = await run(options.python, ['-m', 'venv', own.folder], options);
  const installed =
    made.code !== 0 || own.requirements === undefined ? made : await run(own.command, pipArguments(own), options);
  if (installed.code === 0) {
    writeFileSync(own.marker, '');
    return { ok: true };
  }
  rmSync(own.folder, { recursive: true, force: true });
  return { ok: false, ...explainFailure(installed.said, options.signal.aborted), said: installed.said };
}

/** The folder of environments, in the flow's own folder, which is under version control. */
function keepOutOfGit(folder: string): void {
  makeFolder(folder);
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) writeFileSync(file, '*\n');
}

function pipArguments({ requirements = '' }: FlowPython): readonly string[] {
  const quiet = ['--disable-pip-version-check', '--no-input', '--progress-bar', 'off', '--retries', '1'];
  return ['-m', 'pip', 'install', ...quiet, '-r', requirements];
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

const keptLines = 12;

function run(command: string, given: readonly string[], options: SetUpOptions): Promise<Ended> {
  const { flowFolder, environment, signal, onLine } = options;
  return new Promise((resolve) => {
    const child = spawn(command, given, {
      cwd: flowFolder,
      env: environment,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    let rest = '';
    const read = (chunk: Buffer): void => {
      const parts = (rest + chunk.toString('utf8')).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts.filter((part) => part.trim() !== '')) {
        lines.push(line);
        onLine(line);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => resolve({ code: -1, said: error.message }));
    child.once('close', (code) =>
      resolve({ code: code ?? -1, said: [...lines, rest].slice(-keptLines).join('\n').trim() }),
    );
  });
}

const notReached =
  /Failed to establish a new connection|NewConnectionError|Name or service not known|name resolution|getaddrinfo|Connection refused|ConnectTimeout|Network is unreachable|ProxyError/i;

/** What the end of what `venv` or `pip` printed means to the one who asked. */
export function explainFailure(said: string, isStopped: boolean): { readonly message: string; readonly help: string } {
  if (isStopped) return { message: 'stopped', help: 'Nothing is left of it; run it again.' };
  if (/ensurepip is not available|No module named '?(venv|ensurepip)/.test(said)) {
    return {
      message: 'this Python cannot make environments',
      help: 'Install its venv package: apt install python3-venv',
    };
  }
  if (notReached.test(said)) {
    return {
      message: 'the package index is not reached',
      help: 'Is this machine online? Behind a mirror set PIP_INDEX_URL; with wheels in a folder set PIP_NO_INDEX=1 and PIP_FIND_LINKS.',
    };
  }
  const [, missing] = /No matching distribution found for (.+)/.exec(said) ?? [];
  if (missing !== undefined) {
    return {
      message: `there is no ${missing.trim()} for this Python`,
      help: 'Correct its name or version in requirements.txt.',
    };
  }
  return { message: 'the requirements cannot be installed', help: 'What pip said stands above.' };
}
