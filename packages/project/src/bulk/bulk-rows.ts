import {
  type DataRow,
  type JsonObject,
  mapRows,
  type NamedSets,
  noData,
  noFlowInputs,
  type Plan,
  parseLines,
  pickRows,
  type RunInfo,
  sampleRows,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { type ProjectHost, withNotices } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { openEarlierSets } from './earlier-sets.ts';
import { firstRow } from './first-row.ts';
import { withImagePaths } from './image-paths.ts';
import { pairedRows, refuseUnpaired } from './paired-rows.ts';
import { readAnnotatedRows } from './read-annotated-rows.ts';
import { refuseUnmapped, rowMapping } from './row-mapping.ts';
import { openRowSource, type RowSource } from './row-source.ts';
import { reportHidden } from './run-as-data.ts';
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
  const source = await openRowSource(plan, settings, earlier, noted, located);
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
async function nothingToRun({ data, run, rows }: BulkSettings, source: RowSource): Promise<ProjectFailure> {
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
  source: RowSource,
  { count, isTaken }: Choice,
  others: Others | undefined,
): Promise<number | undefined> {
  if (others === undefined) return count ?? (await source.count(isTaken));
  return count === undefined
    ? await source.count(isTaken, async (line) => (await others(line)) !== undefined)
    : undefined;
}

type Others = (line: number) => NamedSets | undefined | Promise<NamedSets | undefined>;

interface Choice {
  readonly rows: () => AsyncIterable<DataRow>;
  readonly count?: number;
  readonly isTaken?: (line: number) => boolean;
}

async function choose(rows: RowSource['rows'], { rows: lines, sample, seed }: BulkSettings): Promise<Choice> {
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
