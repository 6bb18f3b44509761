import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { formatWithOptions } from 'node:util';
import { cutBetweenWords } from '@unroll/engine/values';

/** What user code printed while it ran. */
export interface Captured {
  stdout: string;
  stderr: string;
  /** Characters that were printed beyond what is kept, by stream. */
  leftOut?: { stdout: number; stderr: number };
}

/** So many characters of what a call prints are kept. */
const maxPrinted = 10_000_000;

/** Adds to what a call printed. */
export function keepPrinted(captured: Captured, kind: 'stdout' | 'stderr', text: string): void {
  // Nothing more of either once something was left out: what comes later would hide where the text was cut.
  const room = captured.leftOut === undefined ? maxPrinted - captured.stdout.length - captured.stderr.length : 0;
  const kept = cutBetweenWords(text, room);
  captured[kind] += kept;
  if (kept.length === text.length) return;
  captured.leftOut ??= { stdout: 0, stderr: 0 };
  captured.leftOut[kind] += text.length - kept.length;
}

/** What was printed, with lines that tell what is left out. */
export function printedTexts({ stdout, stderr, leftOut }: Captured): {
  readonly stdout: string;
  readonly stderr: string;
} {
  return { stdout: withNote(stdout, leftOut?.stdout), stderr: withNote(stderr, leftOut?.stderr) };
}

function withNote(text: string, leftOut = 0): string {
  return leftOut === 0 ? text : `${text}\n… ${leftOut} more characters were printed\n`;
}

const running = new AsyncLocalStorage<Captured | undefined>();
let isInstalled = false;

/** Runs user code so that what it prints, also later and in what it starts, is kept in `captured`. */
export function captureOutput<T>(captured: Captured | undefined, run: () => T): T {
  return running.run(captured, run);
}

/**
 * Puts itself before `process.stdout`, `process.stderr` and, as they may not lead there, the methods of the global
 * console. Outside of a call everything is printed as before. Done once a process, when the first code node is loaded.
 */
export function installCapture(): void {
  if (isInstalled) return;
  isInstalled = true;
  routeWrites(process.stdout, 'stdout');
  routeWrites(process.stderr, 'stderr');
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) routeConsole(name, 'stdout');
  for (const name of ['warn', 'error', 'trace'] as const) routeConsole(name, 'stderr');
}

function routeWrites(stream: NodeJS.WriteStream, kind: 'stdout' | 'stderr'): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  const routed = (chunk: unknown, ...rest: unknown[]): boolean => {
    const captured = running.getStore();
    if (captured === undefined) return write(chunk, ...rest);
    keepPrinted(captured, kind, typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8'));
    const done = rest.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  stream.write = routed as typeof stream.write;
}

function routeConsole(
  name: 'log' | 'info' | 'debug' | 'dir' | 'table' | 'warn' | 'error' | 'trace',
  kind: 'stdout' | 'stderr',
): void {
  const target = globalThis.console as unknown as Record<string, (...given: unknown[]) => void>;
  const print = target[name];
  if (print === undefined) return;
  target[name] = (...given) => {
    const captured = running.getStore();
    if (captured === undefined) print.apply(target, given);
    else keepPrinted(captured, kind, printed(name, given));
  };
}

function printed(name: string, given: readonly unknown[]): string {
  if (plainPrints.has(name)) return `${formatWithOptions({ colors: false }, ...given)}\n`;
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  const console = new Console({ stdout: stream, stderr: stream, colorMode: false });
  (console as unknown as Record<string, (...given: readonly unknown[]) => void>)[name]?.(...given);
  return text;
}

const plainPrints: ReadonlySet<string> = new Set(['log', 'info', 'debug', 'warn', 'error']);
