import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  allOf,
  type DataRow,
  type DataSource,
  type JsonObject,
  openData,
  type Plan,
  RowLines,
  type RunInfo,
  type RunReader,
  readRows,
} from '@unroll/engine';
import { nearestPath } from '../host/nearest-path.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';
import type { BulkSettings } from './bulk-settings.ts';
import type { DataBesideRun } from './paired-rows.ts';
import { refuseForm } from './refuse-form.ts';
import { type HiddenOfRun, hiddenOfRun, inputsOfRun, runNamedAsData } from './run-as-data.ts';

/** Of a row, by its place. */
type IsTaken = (place: number) => boolean;
/** Of a row, by its line, which it may carry itself. */
type IsPaired = (line: number) => Promise<boolean>;

/** Where the rows of a bulk run come from, before any is chosen or mapped. */
export interface RowSource {
  readonly rows: () => AsyncIterable<DataRow>;
  /** Rows that a choice takes; undefined where counting would take too long. */
  readonly count: (isTaken?: IsTaken, isPaired?: IsPaired) => Promise<number | undefined>;
  readonly recorded: Pick<NonNullable<RunInfo['data']>, 'path' | 'digest'>;
  readonly about: string;
  /** Whether a row is a line of columns, which may be parted by something else than it is read by. */
  readonly isTable?: boolean;
  /** Where its rows may have no lines of their own. */
  readonly besideRun?: DataBesideRun;
  /** What of a run that is data stands in no record. */
  readonly hidden?: HiddenOfRun;
  /** How columns become inputs, where the source has a say in it. */
  readonly columns?: Pick<BulkSettings, 'columnsFirst'>;
}

type Located = (values: JsonObject, folder: string) => JsonObject;

/**
 * What `data` names: standard input, a run, a file or a folder; without it the lines that the earlier run completed.
 *
 * @throws ProjectFailure when there is no such data, or neither data nor run are given
 */
export async function openRowSource(
  plan: Plan,
  settings: BulkSettings,
  earlier: RunReader | undefined,
  host: ProjectHost,
  located: Located,
): Promise<RowSource> {
  const { data, dataFormat, encoding } = settings;
  if (data === undefined) {
    if (earlier !== undefined) return await completedSource(earlier);
    throw new ProjectFailure('which data? Give a file or a folder as data, or an earlier run as run');
  }
  if (data === '-') return inputSource(settings, host);
  const record = await runNamedAsData(data, host);
  if (record === undefined) return await fileSource(data, settings, host, located);
  refuseForm({ dataFormat, encoding }, data);
  return runSource(await openRecord(record, host), plan);
}

function inputSource({ dataFormat, encoding }: BulkSettings, host: ProjectHost): RowSource {
  const about = 'standard input';
  refuseForm({ dataFormat, encoding });
  const rows = readRows(host.stdin(), about, { warn: warner(host) });
  const besideRun = { path: about, rows: () => rows };
  return { rows: () => rows, count: async () => undefined, recorded: { path: '-' }, about, besideRun };
}

async function fileSource(
  data: string,
  { dataFormat, encoding, run }: BulkSettings,
  host: ProjectHost,
  located: Located,
): Promise<RowSource> {
  const warn = warner(host);
  const path = resolve(host.folder, data);
  const opened = await openData(path, { format: dataFormat, encoding, located, warn });
  if (!opened.ok) {
    const help = nearestPath(path, data);
    throw new ProjectFailure(opened.message.replaceAll(path, data), { code: 'DataNotFound', help });
  }
  const about = run === undefined ? data : `${data} and run ${run}`;
  for (const message of opened.data.notes) warn(message);
  const recorded = { path: data, digest: opened.data.digest };
  const besideRun = { ...recorded, rows: () => opened.data.rows() };
  return { ...countedSource(opened.data), recorded, about, besideRun };
}

function warner(host: ProjectHost): (message: string) => void {
  return (message) => notify(host, { kind: 'warning', message });
}

async function completedSource(earlier: RunReader): Promise<RowSource> {
  const lines = (await allOf(earlier.rowEnds())).flatMap(({ line, repeat, status }) =>
    repeat === 0 && status === 'Completed' ? [line] : [],
  );
  const rows = async function* (): AsyncGenerator<DataRow, void> {
    for (const line of lines) yield { line, values: {} };
  };
  return {
    rows,
    count: async (...choice) => await countTaken(rows(), ...choice),
    recorded: {},
    about: `run ${earlier.info.id}`,
  };
}

/** What went into a run is what goes in again: a default does not come before it. */
function runSource(run: RunReader, plan: Plan): RowSource {
  const { id } = run.info;
  return {
    rows: () => inputsOfRun(run, plan),
    count: async (...choice) => await countTaken(inputsOfRun(run, plan), ...choice),
    recorded: { path: id },
    about: `run ${id}`,
    columns: { columnsFirst: true },
    hidden: hiddenOfRun(run.info),
  };
}

const maxBytesToCount = 64 * 2 ** 20;

function countedSource(data: DataSource): Pick<RowSource, 'rows' | 'count' | 'isTable'> {
  return {
    isTable: data.isTable,
    rows: () => data.rows(),
    count: async (isTaken, isPaired) => {
      if (data.count !== undefined && isPaired === undefined) {
        return isTaken === undefined ? data.count : [...Array(data.count).keys()].filter(isTaken).length;
      }
      if (data.count === undefined && statSync(data.path).size > maxBytesToCount) return undefined;
      return await countTaken(data.rows(), isTaken, isPaired);
    },
  };
}

async function countTaken(rows: AsyncIterable<DataRow>, isTaken?: IsTaken, isPaired?: IsPaired): Promise<number> {
  const lines = new RowLines();
  let count = 0;
  for await (const row of rows) {
    if (isTaken?.(row.line) === false) continue;
    const { line, wanted } = lines.add(row);
    // What cannot run fails as a row, whether it has its pair or not.
    const isFailed = 'problem' in row || wanted !== undefined;
    if (isFailed || isPaired === undefined || (await isPaired(line))) count += 1;
  }
  return count;
}
