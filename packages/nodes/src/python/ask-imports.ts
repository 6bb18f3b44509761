import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import * as z from 'zod';
import { readJson } from '../http/ask-service.ts';
import { endWithProcess } from './end-with-process.ts';
import type { WorkerSettings } from './worker-settings.ts';

const script = fileURLToPath(new URL('./worker/find_imports.py', import.meta.url));
const maxBytes = 10_000_000;
const keptOfStderr = 2000;

/** `isCalled`: what is told comes about as a tool is called, and not as the flow is loaded. */
const place = { file: z.string(), start: z.int().min(0), isCalled: z.boolean() };
const answer = z.strictObject({
  /**
   * `end` is the place after the name; `name` is what of it is not there; `package`: one that is installed, and lacks it.
   * All places in UTF-16 code units.
   */
  missing: z.array(z.strictObject({ ...place, end: z.int().min(0), name: z.string(), package: z.string().nullable() })),
  /** Files that are no Python of this version, where it stops to be. */
  unreadable: z.array(z.strictObject({ ...place, message: z.string() })),
  /**
   * Files that cannot be what they are used as: not one tool but these `tools`, a name that is `undefined` as the file is loaded, or
   * in what is called (`unsure`), with the nearest there is, a `relative` import of a module in no package, a `name` that
   * another file does not define, a variable of the environment that is `unset`, a file to read that is `unfound`, or `unmade` until an installed package may make it, a `decorator` that is
   * handed no function, a name that a file gives only after a `circular` import.
   */
  unfit: z.array(
    z.strictObject({
      ...place,
      kind: z.enum([
        'tools',
        'undefined',
        'unsure',
        'relative',
        'name',
        'raises',
        'unset',
        'unfound',
        'unmade',
        'decorator',
        'circular',
      ]),
      names: z.array(z.string()),
    }),
  ),
  modules: z.array(z.string()),
  /** Those that no installed package lists, or whose package cannot be imported, which is the reason then. */
  tools: z.array(z.strictObject({ tool: z.string(), reason: z.string().nullable() })),
  /** What keeps nodes from being made ready with their tools: Prompt flow's error, and the input it is about. */
  unready: z.array(
    z.strictObject({ node: z.string(), kind: z.string(), message: z.string(), input: z.string().nullable() }),
  ),
  /** Inputs of tools of packages that take the definition of an assistant. */
  assistants: z.array(z.strictObject({ node: z.string(), input: z.string() })),
  /** Whether code changes where modules are looked for or installs some, so that what is missing may be found in a run. */
  isDoubtful: z.boolean(),
});

export type MissingImports = z.infer<typeof answer>;

export interface AskedImports {
  readonly files: readonly string[];
  /** Those that are imported by their names. */
  readonly entries: readonly string[];
  readonly nodes: readonly AskedFileNode[];
  readonly modules: readonly string[];
  readonly tools: readonly string[];
  readonly packageNodes: readonly AskedPackageNode[];
}

/**
 * A node that is a file, or a function that a node calls, which is not asked what it is made with; `onlyMarked`: a lone function
 * without `@tool` is no tool.
 */
interface AskedFileNode {
  readonly node: string;
  readonly file: string;
  readonly onlyMarked: boolean;
  readonly literals?: JsonObject;
  readonly references?: Readonly<Record<string, string>>;
}

/** A node as it would be loaded, without what is secret: of its connections the types alone. */
export interface AskedPackageNode {
  readonly node: string;
  readonly package: string;
  readonly literals: JsonObject;
  readonly references: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, { readonly type: string }>>;
  readonly connectionNames: readonly string[];
  /** Inputs of which nobody can say before a run what they are. */
  readonly unseen: readonly string[];
  /** Of the template that a custom_llm node has. */
  readonly variables: readonly string[] | null;
}
export type ImportsAnswer =
  | { readonly ok: true; readonly missing: MissingImports }
  /** `isCertain`: no run gets further; else it was only not told in time. */
  | { readonly ok: false; readonly isCertain: boolean; readonly message: string };

/**
 * Asks the Python that would run a flow which imports of its files, which modules and which tools of packages it cannot find, and
 * which files of nodes have no tool. Starts it once and runs no code of the user's; packages of tools are asked what they list.
 */
export async function askImports(
  asked: AskedImports,
  { command, folder, environment, standIns }: Omit<WorkerSettings, 'onSeen'>,
  limitMs = 60_000,
): Promise<ImportsAnswer> {
  const child = spawn(command, [script, ...standIns.flatMap(({ folder: at, unless }) => [at, unless])], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // What it started may hold its streams open, and write on.
  const end = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const outlive = endWithProcess(end);
  const timer = setTimeout(end, limitMs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > maxBytes) end();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-keptOfStderr);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stringifyJson(asked as unknown as JsonValue));
  const ended = await new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: -1, said: error.message }));
    child.once('close', (code) => resolve({ code, said: stderr.trim() }));
  });
  clearTimeout(timer);
  outlive();
  return answerOf(ended, stdout, limitMs);
}

function answerOf(
  { code, said }: { readonly code: number | null; readonly said: string },
  stdout: string,
  limitMs: number,
): ImportsAnswer {
  if (code === null)
    return { ok: false, isCertain: false, message: `it took more than ${Math.round(limitMs / 1000)} s` };
  if (code !== 0) return { ok: false, isCertain: true, message: said.split('\n').at(-1) ?? '' };
  const read = answer.safeParse(readJson(stdout));
  if (read.success) return { ok: true, missing: read.data };
  return { ok: false, isCertain: false, message: 'it answered otherwise than it should' };
}
