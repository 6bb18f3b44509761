import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JsonObject, makeFolder, shownPath, stringifyJson } from '@unroll/engine';
import {
  findPrices,
  keptPrices,
  outputNotWritable,
  type PriceList,
  ProjectFailure,
  readPriceFile,
} from '@unroll/project';
import { formatCount } from '@unroll/project/words';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { PricesSettings } from '../options/record-options.ts';
import { type Style, styleOf } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';

/** `flow prices`: what is known of what models cost, and where it stands; `flow prices update` puts a list in its place. */
export async function prices(settings: PricesSettings, io: Io): Promise<number> {
  const { action } = settings;
  if (action === 'update') return update(settings, io);
  if (action !== undefined) throw new ProjectFailure(`flow prices knows update, not "${action}"`);
  if (settings.file !== undefined) {
    throw new ProjectFailure('--file is for flow prices update', { help: 'flow prices update --file FILE' });
  }
  const known = findPrices(io);
  if (settings.json) io.stdout.write(`${stringifyJson(asValues(known), 2)}\n`);
  else io.stdout.write(pricesText(known, styleOf(io.stdout, io, settings.color)));
  return exitCode.done;
}

/** Checked whole before anything is written, and written whole before it is in force. */
function update(settings: PricesSettings, io: Io): number {
  const file = settings.file;
  if (file === undefined) throw new ProjectFailure('which list? flow prices update --file FILE');
  const list = readPriceFile(file, io);
  const [project = '', user] = keptPrices(io);
  const target = settings.user ? user : project;
  if (target === undefined) throw new ProjectFailure('there is no home folder to keep prices in');
  write(target, `${stringifyJson(list as unknown as JsonObject, 2)}\n`);
  const count = Object.keys(list.models).length;
  io.stdout.write(`${formatCount(count)} ${count === 1 ? 'model' : 'models'} in ${shownPath(target, io.folder)}\n`);
  const { from } = findPrices(io);
  if (from !== shownPath(target, io.folder))
    io.stderr.write(`warning: the prices in force are still those of ${from}\n`);
  return exitCode.done;
}

/** @throws ProjectFailure when it cannot be written */
function write(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw outputNotWritable(path, error);
  }
}

function asValues({ models, from }: PriceList): JsonObject {
  return { from, models: models as unknown as JsonObject };
}

function pricesText({ models, from }: PriceList, style: Style): string {
  const titles = ['input', 'cached', 'output', 'date', 'source'];
  const columns = [{ title: 'model' }, ...titles.map((title, at) => ({ title, isNumber: at < 3 }))];
  const rows = Object.entries(models).map(([name, price]): readonly Cell[] => [
    { text: name, paint: style.name },
    { text: dollars(price.input) },
    { text: dollars(price.cached_input) },
    { text: dollars(price.output) },
    { text: price.date ?? '' },
    { text: price.source ?? '' },
  ]);
  return `${table(columns, rows, style.dim)}\nUS dollars for a million tokens, from ${from}\n`;
}

function dollars(amount: number | undefined): string {
  return amount === undefined ? '' : `$${amount}`;
}
