import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  allOf,
  type DataRow,
  type DataSource,
  type JsonObject,
  mapRows,
  type NamedSets,
  noData,
  noFlowInputs,
  openData,
  type Plan,
  parseLines,
  pickRows,
  RowLines,
  type RunInfo,
  type RunReader,
  readRows,
  sampleRows,
} from '@unroll/engine';
import { nearestPath } from '../host/nearest-path.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost, withNotices } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { openEarlierSets } from './earlier-sets.ts';
import { firstRow } from './first-row.ts';
import { withImagePaths } from './image-paths.ts';
import { type DataBesideRun, pairedRows, refuseUnpaired } from './paired-rows.ts';
import { readAnnotatedRows } from './read-annotated-rows.ts';
import { refuseForm } from './refuse-form.ts';
import { refuseUnmapped, rowMapping } from './row-mapping.ts';
import { type HiddenOfRun, hiddenOfRun, inputsOfRun, reportHidden, runNamedAsData } from './run-as-data.ts';
import { withColumnsWatched } from './uneven-columns.ts';

/** The rows of a bulk run, as inputs of its flow. */
export interface BulkRows {
  readonly rows: AsyncIterable<DataRow>;
  /** What the record says of them. */
  readonly data: NonNullable<RunInfo['data']>;
  readonly mapping: JsonObject;
  /** For people: where the rows come from. */
  readonly about: string;
}

/**
 * Opens data and earlier run of a bulk run and maps their columns to the inputs of the flow.
 *
 * @throws ProjectFailure when there is no data, or a mapping names a set or column that the first row does not have
 */
export async function openBulkRows(
  plan: Plan,
  settings: BulkSettings,
  host: ProjectHost,
  isResumed = false,
): Promise<BulkRows> {
  // What is noted of rows was told when the run began.
  const noted = withNotices(host, () => !isResumed);
  if (plan.inputs.length === 0 && plan.answersBy === undefined) {
    const { code, message } = noFlowInputs();
    throw new ProjectFailure(message, { code });
  }
  const earlier = settings.run === undefined ? undefined : await openRecord(await findRun(settings.run, host), host);
  const located = (values: JsonObject, folder: string): JsonObject => withImagePaths(plan, values, folder);
  const source = await openSource(plan, settings, earlier, noted, located);
  const chosen = await choose(source.rows, settings);
  const first = await firstRow(chosen.rows());
  if (first === undefined) throw await nothingToRun(settings, source);
  const mapped = rowMapping(plan, { ...settings, ...source.columns }, first.row, noted);
  const { mapping, optional } = mapped;
  if (source.hidden !== undefined) reportHidden(plan, source.hidden, settings, noted);
  const others: Others =
    earlier === undefined ? () => ({}) : await openEarlierSets(earlier, plan, settings, located, host);
  if (earlier !== undefined && source.besideRun !== undefined) await refuseUnpaired(source.besideRun, earlier, noted);
  await refuseUnmapped(first.row, mapping, others, { optional, isTable: source.isTable });
  const count = await countRows(source, chosen, earlier === undefined ? undefined : others);
  const inputs = mapRows(withColumnsWatched(first.all, plan, mapped, settings, host), mapping, others, optional);
  return {
    rows: readAnnotatedRows(
      plan,
      earlier === undefined ? inputs : await pairedRows(inputs, source.besideRun?.path ?? source.about, earlier),
    ),
    mapping,
    about: source.about,
    data: {
      ...source.recorded,
      ...(count === undefined ? {} : { total: count * settings.repeat }),
    },
  };
}

/** Either there are no rows, or `--rows` names none of them. */
async function nothingToRun({ data, run, rows }: BulkSettings, source: Source): Promise<ProjectFailure> {
  const count = (await source.count()) ?? 0;
  if (rows === undefined || count === 0) {
    const { code, message } = noData({
      ...(data === undefined ? {} : { data }),
      ...(run === undefined ? {} : { run }),
    });
    return new ProjectFailure(message, { code });
  }
  const known = count === 1 ? 'one row, 0' : `${count} rows, 0 to ${count - 1}`;
  return new ProjectFailure(`--rows ${rows} takes no row of ${source.about}`, {
    help: `It has ${known}.`,
    code: 'EmptyInputsData',
  });
}

/** A row that the earlier run did not complete is left out, and not counted. */
async function countRows(
  source: Source,
  { count, isTaken }: Choice,
  others: Others | undefined,
): Promise<number | undefined> {
  if (others === undefined) return count ?? (await source.count(isTaken));
  return count === undefined
    ? await source.count(isTaken, async (line) => (await others(line)) !== undefined)
    : undefined;
}

/** Of a row, by its place. */
type IsTaken = (place: number) => boolean;
/** Of a row, by its line, which it may carry itself. */
type IsPaired = (line: number) => Promise<boolean>;
type Others = (line: number) => NamedSets | undefined | Promise<NamedSets | undefined>;

interface Source {
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

async function openSource(
  plan: Plan,
  { data, dataFormat, encoding, run }: BulkSettings,
  earlier: RunReader | undefined,
  host: ProjectHost,
  located: (values: JsonObject, folder: string) => JsonObject,
): Promise<Source> {
  const warn = (message: string): void => notify(host, { kind: 'warning', message });
  if (data === '-') {
    const about = 'standard input';
    refuseForm({ dataFormat, encoding });
    const rows = readRows(host.stdin(), about, { warn });
    const besideRun = { path: about, rows: () => rows };
    return { rows: () => rows, count: async () => undefined, recorded: { path: '-' }, about, besideRun };
  }
  const record = data === undefined ? undefined : await runNamedAsData(data, host);
  if (record !== undefined) {
    refuseForm({ dataFormat, encoding }, data);
    return runSource(await openRecord(record, host), plan);
  }
  if (data !== undefined) {
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
  if (earlier === undefined)
    throw new ProjectFailure('which data? Give a file or a folder as data, or an earlier run as run');
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
function runSource(run: RunReader, plan: Plan): Source {
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

function countedSource(data: DataSource): Pick<Source, 'rows' | 'count' | 'isTable'> {
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

interface Choice {
  readonly rows: () => AsyncIterable<DataRow>;
  readonly count?: number;
  readonly isTaken?: (line: number) => boolean;
}

async function choose(rows: Source['rows'], { rows: lines, sample, seed }: BulkSettings): Promise<Choice> {
  const isTaken = lines === undefined ? undefined : parseLines(lines);
  if (lines !== undefined && isTaken === undefined) {
    throw new ProjectFailure(`--rows takes line numbers from 0, for instance 0-9,15, not "${lines}"`);
  }
  const picked = isTaken === undefined ? rows : () => pickRows(rows(), isTaken);
  if (sample === undefined) return { rows: picked, ...(isTaken === undefined ? {} : { isTaken }) };
  const drawn = await sampleRows(picked(), sample, seed);
  return {
    count: drawn.length,
    rows: async function* () {
      yield* drawn;
    },
  };
}
