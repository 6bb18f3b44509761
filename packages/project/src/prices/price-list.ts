import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { shownPath } from '../host/shown-path.ts';
import { readJson, readTextFile } from '../host/text-file.ts';
import listed from './prices.json' with { type: 'json' };

const dollars = z.number().min(0).max(1e6);

/** US dollars for a million tokens. What some tokens cost differently is absent where it is not listed. */
const priceEntry = z.strictObject({
  input: dollars,
  output: dollars,
  /** Of the prompt, read from the service's cache. */
  cached_input: dollars.optional(),
  /** Of the prompt, written to that cache. */
  cache_write_input: dollars.optional(),
  audio_input: dollars.optional(),
  audio_output: dollars.optional(),
  /** When it was listed: `2025-08-20`. */
  date: z.iso.date().optional(),
  /** Who listed it. */
  source: z.string().optional(),
});

/** `date` and `source` at the top hold for entries that have none. */
const priceFile = z.strictObject({
  about: z.string().optional(),
  date: z.string().optional(),
  source: z.string().optional(),
  models: z.record(z.string(), priceEntry),
});

export type Price = Readonly<z.infer<typeof priceEntry>>;
/** Of models that nobody is billed for. */
export const freeOfCharge: Price = { input: 0, output: 0 };

export type PriceFile = z.infer<typeof priceFile>;

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

/** @throws ProjectFailure where the file is no list of prices, with everything that is wrong */
export function readPriceFile(file: string, system: System): PriceFile {
  const read = priceFile.safeParse(readJson(readTextFile(file, system), file));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ProjectFailure(`${file} is no list of prices: ${problems.join('; ')}`, {
    help: 'For instance {"models": {"gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10, "date": "2025-08-20", "source": "…"}}}, in US dollars for a million tokens.',
  });
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
