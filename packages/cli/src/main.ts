import { dirname } from 'node:path';
import { refusalOf } from '@unroll/engine/refusal';
import { ProjectFailure } from '@unroll/project/project-failure';
import { exitCode, exitCodes } from './exit-code.ts';
import type { Io, ProcessIo } from './io.ts';
import { printHelp } from './print-help.ts';
import { englishWords, type ReaderWords } from './text/reader-words.ts';

export type { Io, ProcessIo, TextSink } from './io.ts';

/**
 * Runs one command line.
 *
 * @param argv without `node` and the script
 * @returns the exit code, as docs/cli.md lists them
 */
export async function main(argv: readonly string[], given: ProcessIo): Promise<number> {
  if (printHelp(argv, given)) return exitCode.done;
  let io: Io | undefined;
  try {
    io = await openIo(given);
    const { runCommandLine } = await import('./command-line.ts');
    return await runCommandLine(argv, io);
  } catch (error) {
    return report(error, io ?? given, io?.words ?? englishWords);
  } finally {
    for (const opened of io?.closing ?? []) await opened[Symbol.asyncDispose]();
  }
}

/** @throws ProjectFailure where there is no folder to work in; that is asked before anything is loaded that looks for it too */
async function openIo(given: ProcessIo): Promise<Io> {
  const { folder } = given;
  const { redactedIo } = await import('./redacted-io.ts');
  return redactedIo(given, folder);
}

function report(error: unknown, io: Pick<Io, 'environment' | 'stderr'>, words: ReaderWords): number {
  const isDebug = (io.environment['FLOW_DEBUG'] ?? '') !== '';
  if (error instanceof ProjectFailure) {
    io.stderr.write(`error: ${words.failure(error.message)}\n`);
    if (error.help !== undefined) io.stderr.write(`${words.failure(error.help)}\n`);
    if (isDebug) io.stderr.write(`${error.stack}\n`);
    return exitCodes[error.kind];
  }
  const message = error instanceof Error ? error.message : String(error);
  const refusal = refusalOf(error);
  if (refusal !== undefined && !isDebug) {
    return reportRefusal(refusal, error as NodeJS.ErrnoException, io, words);
  }
  io.stderr.write(`error: ${words.failure(`flow itself failed: ${message}`)}\n`);
  if (isDebug && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  else io.stderr.write(`${words.failure('This is a mistake in flow, not in yours; FLOW_DEBUG=1 shows where.')}\n`);
  return exitCode.failed;
}

/** What may not be looked at, or where no temporary folder can be made, ends a command as what is not there does. */
const looking: ReadonlySet<string> = new Set(['open', 'scandir', 'stat', 'lstat', 'realpath', 'mkdtemp']);

function reportRefusal(
  refusal: string,
  error: NodeJS.ErrnoException,
  { stderr }: Pick<ProcessIo, 'stderr'>,
  { failure }: ReaderWords,
): number {
  if (error.syscall === 'mkdtemp') {
    stderr.write(`error: ${failure(`no temporary folder can be made in ${dirname(error.path ?? '')}: ${refusal}`)}\n`);
    stderr.write(`${failure('TMPDIR names another place for them.')}\n`);
  } else stderr.write(`error: ${failure(refusal)}: ${error.path ?? error.message}\n`);
  return looking.has(error.syscall ?? '') ? exitCode.wrong : exitCode.failed;
}
