import { type JsonValue, stringifyJson } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import type { IndexBuild, Upload } from '@unroll/project/search-index';
import { type ExitCode, exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { styleOf } from '../text/style.ts';

/** Says what a build did, and each file that could not be read. @returns how the command ends */
export function reportBuild(
  index: string,
  { report, description, uploaded, beside, withoutVectors }: IndexBuild,
  settings: OutputSettings,
  io: Io,
): ExitCode {
  const { problems, failure, isStopped } = report;
  const ended = isStopped
    ? exitCode.interrupted
    : problems.length > 0 || failure !== undefined
      ? exitCode.failed
      : exitCode.done;
  io.stderr.write(withoutVectorsText(index, withoutVectors));
  if (settings.json) {
    const { documents, files, vectors } = description;
    const built = { index: beside ?? index, ...report, holds: { documents, files, vectors } };
    io.stdout.write(`${stringifyJson(built as unknown as JsonValue, 2)}\n`);
    return ended;
  }
  const style = styleOf(io.stderr, io, settings.color);
  for (const { name, problem } of problems) io.stderr.write(`${style.bad('not read')}  ${name}: ${problem}\n`);
  if (failure !== undefined) io.stderr.write(`${style.bad('no vectors')}  ${failure.message}\n`);
  io.stderr.write(unendedText(index, isStopped, beside));
  if (!settings.quiet) io.stdout.write(`${summary(beside ?? index, { report, description })}\n`);
  if (uploaded !== undefined && settings.quiet !== true) io.stdout.write(`${uploadText(uploaded)}\n`);
  return ended;
}

function unendedText(index: string, isStopped: boolean, beside: string | undefined): string {
  const stopped = isStopped ? 'stopped; what was read is kept, and the same command goes on\n' : '';
  if (beside === undefined) return stopped;
  return `${stopped}${index} stays as it was until the new one is whole${isStopped ? '' : ': the same command goes on'}\n`;
}

function withoutVectorsText(index: string, embedder: IndexBuild['withoutVectors']): string {
  if (embedder === undefined) return '';
  const { connection, model } = embedder;
  const ofModel = model === undefined ? '' : ` --model ${shellWord(model)}`;
  const options = `--embedder ${shellWord(connection)}${ofModel}`;
  return `warning: ${index} had vectors and has none now: ${options} makes them again\n`;
}

function summary(
  index: string,
  { report: { files, documents, embedded, tokens }, description }: Omit<IndexBuild, 'uploaded'>,
): string {
  const changes = [
    counted(documents.added, 'added'),
    counted(documents.changed, 'changed'),
    counted(documents.removed, 'removed'),
  ].filter((part) => part !== '');
  const did = changes.length === 0 ? 'nothing changed' : changes.join(', ');
  const vectors =
    description.model === undefined
      ? ''
      : `, ${description.vectors} with vectors (${embedded} made now${tokens === 0 ? '' : `, ${tokens} tokens`})`;
  const read = `${files.read} of ${files.read + files.unchanged} files opened`;
  return `${index}: ${description.documents} documents${vectors}; ${did} (${read})`;
}

function uploadText({ name, uploaded, removed, unchanged, leftOut }: Upload): string {
  const unasked = leftOut.length === 0 ? '' : `; filters cannot ask for ${leftOut.join(', ')} there`;
  return `${name} at Azure: ${uploaded} sent, ${removed} deleted, ${unchanged} unchanged${unasked}`;
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}`;
}
