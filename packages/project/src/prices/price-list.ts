import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shownPath } from '@unroll/engine';
import type { System } from '../host/project-host.ts';
import { type Price, type PriceFile, readPriceFile } from './price-file.ts';
import listed from './prices.json' with { type: 'json' };

/** Of models that nobody is billed for. */
export const freeOfCharge: Price = { input: 0, output: 0 };

/** The prices that are in force. */
export interface PriceList {
  readonly models: Readonly<Record<string, Price>>;
  /** Where they stand, for people. */
  readonly from: string;
}

/** Not read with the schema, which would cost each start some milliseconds. */
const listedFile: PriceFile = listed;

/**
 * The prices of FLOW_PRICES; else of `.flow/prices.json` in the current folder, then in the home folder; else those that come
 * with the release. One list is in force, never two together.
 *
 * @throws ProjectFailure when the file cannot be read
 */
export function findPrices(system: System): PriceList {
  const { FLOW_PRICES: named = '' } = system.environment;
  const file = named !== '' ? named : keptPrices(system).find((path) => existsSync(path));
  if (file === undefined) return toList(listedFile, 'this release');
  return toList(readPriceFile(file, system), shownPath(file, system.folder));
}

/** Where a list of one's own is kept: the project's, then the user's. */
export function keptPrices({ folder, environment }: Pick<System, 'folder' | 'environment'>): readonly string[] {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? '';
  return [folder, home].filter((path) => path !== '').map((path) => join(path, '.flow', 'prices.json'));
}

function toList({ models, date, source }: PriceFile, from: string): PriceList {
  const shared = { ...(date === undefined ? {} : { date }), ...(source === undefined ? {} : { source }) };
  const entries = Object.entries(models).map(([name, price]) => [name.toLowerCase(), { ...shared, ...price }] as const);
  return { models: Object.fromEntries(entries), from };
}

/** The price of a model by its name, a dated one (`gpt-4o-2024-08-06`) at that of its family; undefined where unknown. */
export function priceOf(model: string, { models }: PriceList): Price | undefined {
  const name = model.toLowerCase();
  const family = name.replace(/-\d{4}-?\d{2}-?\d{2}$|-\d{4}$/, '');
  return [name, family].flatMap((one) => (Object.hasOwn(models, one) ? [models[one]] : [])).at(0);
}
