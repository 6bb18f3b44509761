import { damagedPages } from './check-pages.ts';
import { requireFile } from './require-file.ts';
import type { RunDamage } from './run-file-error.ts';
import { RunFileError, runFileError, unopened } from './run-file-error.ts';
import { damagedSegments } from './segments.ts';
import { openForReading } from './sqlite-driver.ts';
import { openSqliteRunReader } from './sqlite-run-log.ts';

/**
 * Reads all of a record file.
 *
 * @returns what of it is damaged, rows in order; each once
 * @throws RunFileError where the system does not let it be read
 */
export async function checkRunFile(path: string): Promise<readonly RunDamage[]> {
  const found = new Map<string, RunDamage>();
  const add = (damage: RunDamage): void => {
    const key = damage.row === undefined ? damage.message : `${damage.row.line}:${damage.row.repeat}`;
    if (!found.has(key)) found.set(key, damage);
  };
  try {
    for (const damage of pagesAndSegments(path)) add(damage);
    await readAll(path, add);
  } catch (error) {
    const failure = runFileError('read', path, error);
    if (unopened(path) !== undefined) throw failure;
    add({ message: failure.message });
  }
  const [rows, others] = [[...found.values()].filter(isOfRow), [...found.values()].filter((one) => !isOfRow(one))];
  return [...others, ...rows.sort((one, other) => one.row.line - other.row.line || one.row.repeat - other.row.repeat)];
}

function isOfRow(damage: RunDamage): damage is Required<RunDamage> {
  return damage.row !== undefined;
}

function pagesAndSegments(path: string): readonly RunDamage[] {
  const database = openForReading(requireFile(path));
  try {
    const pages = damagedPages(database, 'integrity_check').map((page) => `the run record ${path} is damaged: ${page}`);
    const segments = [...damagedSegments(database)].map((id) => `segment ${id} of the run record ${path} is damaged`);
    return [...pages, ...segments].map((message) => ({ message }));
  } catch (error) {
    return [{ message: runFileError('read', path, error).message }];
  } finally {
    database.close();
  }
}

/** Whatever any command reads, digests last: a row that is told only there can be read otherwise. */
async function readAll(path: string, tell: (damage: RunDamage) => void): Promise<void> {
  let isOfDigests = false;
  const onDamage = ({ message, row }: RunDamage): void =>
    tell(row === undefined ? { message } : { message, row, ...(isOfDigests ? { isOfDigests } : {}) });
  await using reader = openSqliteRunReader(path, { onDamage });
  const orReported = async (read: () => Promise<unknown>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof RunFileError)) throw error;
      onDamage(error);
    }
  };
  for (const batches of [reader.records, reader.rowEnds]) await orReported(() => readThrough(batches()));
  for (const read of [reader.metrics, reader.nodeCounts]) await orReported(read);
  isOfDigests = true;
  await orReported(() => readThrough(reader.digests()));
}

async function readThrough(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}
