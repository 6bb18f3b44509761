import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import {
  type DataColumnsOf,
  type ExportedRow,
  exportNodes,
  exportRows,
  type RowFormat,
  type RunReader,
  writeRows,
} from '@unroll/engine';
import {
  beginOutputFile,
  dataColumns,
  outputNotWritable,
  ProjectFailure,
  type ProjectHost,
  projectOn,
  whyUnfinished,
} from '@unroll/project';
import { formatCount } from '@unroll/project/words';
import { type ExitCode, exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ExportSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';

/** `flow export`: rows of a run, or its node records, as a table for other tools. */
export async function exportRun(settings: ExportSettings, io: Io): Promise<number> {
  const out = settings.out;
  const format = formatOf(settings.format, out);
  if (format === 'parquet' && out === undefined) {
    throw new ProjectFailure('Parquet is no text', { help: 'Name a file: --out rows.parquet' });
  }
  const host = hostOf(settings, io);
  const { runs } = projectOn(host);
  const { file: path } = await runs.find(settings.run);
  await using store = await runs.open(path);
  const rows: AsyncIterable<ExportedRow> = settings.nodes
    ? exportNodes(store)
    : exportRows(store, settings.dataColumns ? await columnsOfData(store, io) : undefined);
  const how = { hasMark: settings.bom, isRaw: settings.raw, onReplaced: (cells: number) => reportReplaced(cells, io) };
  if (out === undefined) {
    for await (const part of writeRows(rows, format, how)) io.stdout.data(String(part));
    return await reportUnfinished(store, path, host, io);
  }
  const output = beginOutputFile(out, io);
  try {
    await writeParts(writeRows(rows, format, how), output.written, out);
    output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
  if (!settings.quiet) io.stderr.write(`${out} written\n`);
  return await reportUnfinished(store, path, host, io);
}

async function columnsOfData({ info }: RunReader, { folder, stderr }: Io): Promise<DataColumnsOf> {
  const { columnsOf, changedPath } = await dataColumns(info, folder);
  if (changedPath !== undefined)
    stderr.write(`warning: ${changedPath} has changed since the run: rows of other inputs have no columns of it\n`);
  return columnsOf;
}

/** @throws ProjectFailure, naming the file as `shown`, when it cannot be written */
async function writeParts(parts: AsyncIterable<string | Uint8Array>, path: string, shown: string): Promise<void> {
  const file = createWriteStream(path);
  const written = finished(file).catch((error: Error) => {
    throw outputNotWritable(shown, error);
  });
  written.catch(() => {});
  for await (const part of parts) {
    if (!file.write(part))
      await Promise.race([new Promise<void>((ready) => file.once('drain', () => ready())), written]);
  }
  file.end();
  await written;
}

/** A lone half of a surrogate pair has no form in UTF-8; in JSON it has one. */
function reportReplaced(cells: number, { stderr }: Io): void {
  const what = cells === 1 ? '1 text holds' : `${formatCount(cells)} texts hold`;
  stderr.write(`warning: ${what} half of a surrogate pair, written as U+FFFD: --format jsonl keeps it\n`);
}

/** Says of a run that has not come to its end what there is of it. */
async function reportUnfinished(store: RunReader, path: string, host: ProjectHost, io: Io): Promise<ExitCode> {
  const why = await whyUnfinished(path, store, host);
  if (why === undefined) return exitCode.done;
  io.stderr.write(`warning: run ${store.info.id} ${why}\n`);
  return exitCode.unfinished;
}

const formats: readonly string[] = ['jsonl', 'csv', 'parquet'];

/** By the option, else by the file's extension; JSONL where there is neither. */
function formatOf(given: string | undefined, out: string | undefined): RowFormat {
  const extension = /\.([^./\\]+)$/.exec(out ?? '')?.[1]?.toLowerCase() ?? 'jsonl';
  const named = given ?? extension;
  if (formats.includes(named)) return named as RowFormat;
  throw new ProjectFailure(`rows are written as ${formats.join(', ')}, not as ${named}`, {
    help: `Name a file of that kind, or the form with --format.`,
  });
}
