import { type JsonObject, type RunDamage, stringifyJson } from '@unroll/engine';
import { ProjectFailure, type Runs, rowName } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunsSettings } from '../options/record-options.ts';

/** `flow runs check RUN …`: reads all of each record; 1 where something of one is damaged. */
export async function checkRuns(
  named: readonly string[],
  catalog: Runs,
  settings: RunsSettings,
  io: Io,
): Promise<number> {
  if (named.length === 0) throw new ProjectFailure('which runs? flow runs check RUN …');
  const found = await Promise.all(named.map((name) => catalog.find(name)));
  const records = new Map(found.map((record) => [record.file, record]));
  const checked: CheckedRun[] = [];
  for (const { id, file, path } of records.values()) {
    checked.push({ run: id, record: path, damage: await catalog.check(file) });
  }
  const isJson = settings.json;
  io.stdout.write(isJson ? `${stringifyJson(checked.map(json), 2)}\n` : checked.map(text).join(''));
  return checked.every(({ damage }) => damage.length === 0) ? exitCode.done : exitCode.failed;
}

interface CheckedRun {
  readonly run: string;
  readonly record: string;
  readonly damage: readonly RunDamage[];
}

function json({ run, record, damage }: CheckedRun): JsonObject {
  return { run_id: run, record, is_sound: damage.length === 0, damage: damage.map(damageJson) };
}

function damageJson({ message, row, isOfDigests = false }: RunDamage): JsonObject {
  if (row === undefined) return { message };
  return { message, row: rowName(row), line: row.line, repeat: row.repeat, can_be_read: isOfDigests };
}

function text({ record, damage }: CheckedRun): string {
  if (damage.length === 0) return `${record} is sound\n`;
  const rows = damage.filter(({ row }) => row !== undefined);
  const uncompared = rows.filter(({ isOfDigests }) => isOfDigests).length;
  const told = [
    ...rowsText(rows.length - uncompared, 'cannot be read'),
    ...rowsText(uncompared, 'can be read, but not compared with other runs'),
  ].join(', ');
  const lines = damage.map(({ message }) => `${message}\n`).join('');
  const ways = `flow export ${record} writes what can be read of it.\n`;
  return `${lines}${record} is damaged${told === '' ? '' : `: ${told}`}\n${ways}`;
}

function rowsText(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count === 1 ? '1 row' : `${count} rows`} ${what}`];
}
