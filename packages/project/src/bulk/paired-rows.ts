import { type DataRow, isMapping, ownLine, type RunInfo, type RunReader } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { firstRow } from './first-row.ts';

/** Rows of data that are to be read beside those of an earlier run. */
export interface DataBesideRun {
  readonly path: string;
  /** SHA-256 of its bytes; absent where it can be read once only, as standard input. */
  readonly digest?: string;
  rows(): AsyncIterable<DataRow>;
}

/**
 * Rows of data and of an earlier run are paired by their lines. Where no row carries a `line_number`, its line is its place, which
 * says something only in data as long as that the run ran over: Prompt flow's "Line numbers are not aligned".
 *
 * @throws ProjectFailure where they are of different lengths; a warning tells where that cannot be known
 */
export async function refuseUnpaired(
  { path, digest, rows }: DataBesideRun,
  earlier: Pick<RunReader, 'info' | 'nextLine'>,
  host: Pick<ProjectHost, 'report'>,
): Promise<void> {
  const { info } = earlier;
  if (digest !== undefined && digest === info.data?.digest) return;
  const warn = (why: string): void => notify(host, { kind: 'warning', message: `${why}\n      ${wayOut}` });
  if (digest === undefined) return warn(`${path} is paired with the rows of run ${info.id} by the place of each row`);
  const { count, numbered, unnumbered } = await countRows(rows());
  if (numbered > 0) {
    if (unnumbered > 0) warn(`rows of ${path} paired by their place, without a usable line_number: ${unnumbered}`);
    return;
  }
  const ranOver = rowsRanOver(info);
  const least = ranOver ?? (await earlier.nextLine());
  if (ranOver === undefined && count >= least) {
    if (count !== least)
      warn(`run ${info.id} ran over a choice of the rows of its data, and ${path} is paired by place`);
    return;
  }
  if (count === least) return;
  throw new ProjectFailure(
    `rows of ${path}: ${count}; rows that run ${info.id} ran over: ${least}; which of them belong together cannot be known`,
    {
      code: 'InputMappingError',
      help: 'Give each row of the data a column line_number with the line of the run it belongs to, from 0.',
    },
  );
}

/**
 * The same rows.
 *
 * @param data where they come from
 * @throws ProjectFailure where there is none: an evaluation of no row would look like one that found nothing
 */
export async function pairedRows(
  rows: AsyncIterable<DataRow>,
  data: string,
  { info: { id } }: Pick<RunReader, 'info'>,
): Promise<AsyncIterable<DataRow>> {
  const first = await firstRow(rows);
  if (first !== undefined) return first.all;
  throw new ProjectFailure(`no row of ${data} belongs to a row that run ${id} completed`, {
    code: 'InputMappingError',
    help: 'Rows are paired by the column line_number, where the data has it, and by their place.',
  });
}

const wayOut = 'give each row of the data a column line_number with the line of the run it belongs to, from 0';

/** All rows; of those that can be read, how many say themselves which line they have, and how many do not. */
async function countRows(rows: AsyncIterable<DataRow>) {
  let count = 0;
  let numbered = 0;
  let unnumbered = 0;
  for await (const row of rows) {
    count += 1;
    if ('problem' in row) continue;
    if (ownLine(row.values) === undefined) unnumbered += 1;
    else numbered += 1;
  }
  return { count, numbered, unnumbered };
}

/** Rows of the data of a run; undefined where it ran over some of them, or they were not counted. */
function rowsRanOver({ data, options }: RunInfo): number | undefined {
  const bulk = options?.['bulk'];
  if (data?.total === undefined || !isMapping(bulk)) return undefined;
  const { rows, sample, run, repeat = 1 } = bulk as Partial<BulkSettings>;
  return rows === undefined && sample === undefined && run === undefined ? data.total / repeat : undefined;
}
