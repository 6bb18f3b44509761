import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Diagnostic,
  didYouMean,
  expectedOf,
  formatDiagnostics,
  type JsonValue,
  kindOf,
  meantIssues,
  nearestSpan,
  parseYaml,
  plainScalars,
  valueAt,
  type YamlDocument,
} from '@unroll/engine';
import * as z from 'zod';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { readJson, readTextFile } from '../host/text-file.ts';

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
  date: z.iso.date().optional(),
  source: z.string().optional(),
  models: z.record(z.string(), priceEntry),
});

export type Price = Readonly<z.infer<typeof priceEntry>>;
export type PriceFile = z.infer<typeof priceFile>;

type Path = readonly (string | number)[];

/** Ten thousand models have room in it. */
const maxBytes = 4_000_000;

/** @throws ProjectFailure where the file is no list of prices, with everything that is wrong and where */
export function readPriceFile(file: string, system: System): PriceFile {
  refuseLarge(file, system);
  const text = readTextFile(file, system);
  const value = readJson(text, file);
  const read = priceFile.safeParse(plainScalars(value));
  if (read.success && mistakesOfModels(read.data.models, read.data.date).length === 0) return read.data;
  // JSON is YAML too: that reader tells places.
  const document = parseYaml({ path: file, text });
  const shape = (read.error?.issues ?? []).flatMap(meantIssues).flatMap((issue) => shapeMistakes(issue, value));
  const models = asMapping(valueAt(value, ['models']));
  const mistakes = [...shape, ...mistakesOfModels(models, valueAt(value, ['date']))];
  throw new ProjectFailure(
    `${file} is no list of prices:\n${formatDiagnostics(mistakes.map((one) => diagnosticOf(one, document)))}`,
    {
      help: 'For instance {"date": "2025-08-20", "models": {"gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10}}}, in US dollars for a million tokens.',
      code: 'PricesNotReadable',
    },
  );
}

/** A device or a pipe never ends; what is too large is no list of prices. */
function refuseLarge(file: string, { folder }: Pick<System, 'folder'>): void {
  const path = resolve(folder, file);
  if (!existsSync(path)) return;
  const found = statSync(path);
  if (found.isDirectory() || (found.isFile() && found.size <= maxBytes)) return;
  const what = found.isFile() ? `is larger than ${maxBytes / 1_000_000} MB` : 'is no file';
  throw new ProjectFailure(`${file} ${what}: it is no list of prices`, { code: 'PricesNotReadable' });
}

interface Mistake {
  readonly path: Path;
  readonly part?: 'key' | 'value';
  readonly message: string;
  readonly help?: string | undefined;
}

function shapeMistakes(issue: z.core.$ZodIssue, value: JsonValue): readonly Mistake[] {
  const path = issue.path as Path;
  const place = path.length === 0 ? 'the file' : path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys((path[0] === 'models' ? priceEntry : priceFile).shape);
    return issue.keys.map((key) => ({
      path: [...path, key],
      part: 'key',
      message: `unknown key "${key}" in ${place}`,
      help: didYouMean(key, known) ?? `it can have ${known.join(', ')}`,
    }));
  }
  const found = valueAt(value, path);
  if (found === undefined)
    return [{ path, message: `${path.slice(0, -1).join('.') || 'the file'} lacks "${path.at(-1)}"` }];
  return [{ path, message: `${place} must be ${expectedOf(issue)}, not ${kindOf(found)}` }];
}

/** Names are found whatever their case, so that two which differ in it alone are one; a price of no date is none. */
function mistakesOfModels(models: Readonly<Record<string, unknown>>, date: unknown): readonly Mistake[] {
  const first = new Map<string, string>();
  return Object.entries(models).flatMap(([name, price]): readonly Mistake[] => {
    const before = first.get(name.toLowerCase());
    first.set(name.toLowerCase(), before ?? name);
    const path = ['models', name];
    const hasDate = date !== undefined || asMapping(price)['date'] !== undefined;
    return [
      ...(before === undefined
        ? []
        : [{ path, part: 'key' as const, message: `"${name}" is "${before}" again: names differ in more than case` }]),
      ...(hasDate
        ? []
        : [{ path, part: 'key' as const, message: `the price of "${name}" has no date`, help: dateHelp }]),
    ];
  });
}

const dateHelp = 'when it was listed: "date": "2025-08-20" here, or once at the top for all';

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function diagnosticOf({ path, part = 'value', message, help }: Mistake, document: YamlDocument): Diagnostic {
  return { severity: 'error', code: 'PRICE_LIST', message, span: nearestSpan(document, path, part), help };
}
