import { ProjectFailure } from '@unroll/project';
import type { Language } from '@unroll/project/studio';
import { changeKind, rowFilter } from '@unroll/project/studio-contract';
import type { HonoRequest } from 'hono';
import * as z from 'zod';
import { readShape } from '../answers/read-shape.ts';

const text = z.string().max(2000).optional();
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
const limit = wholeNumber.pipe(z.number().min(1).max(500)).optional();

/** By which evaluation, and against which run. */
const lens = { evaluation: text, against: text };

export const runsQuery = z.strictObject({
  cursor: text,
  limit,
  filter: z.enum(['all', 'live', 'needs-look', 'resumable', 'evaluation']).optional(),
  flow: text,
  text,
});

export const runQuery = z.strictObject(lens);

export const rowsQuery = z.strictObject({
  ...lens,
  cursor: text,
  limit,
  offset: wholeNumber.optional(),
  sort: text,
  fresh: z.enum(['true', 'false']).optional(),
});

export const rowQuery = z.strictObject({ ...lens, sort: text });

/** Runs by their ids; what is not said is found. `rename` is given once for each name and is read apart. */
const sides = { left: text, right: text, evaluation: text, key: text, turns: z.literal('each').optional() };

export const diffQuery = z.strictObject(sides);

export const diffRowsQuery = z.strictObject({ ...sides, group: text, node: text, cursor: text, limit });

/** What of a comparison can be given several times. */
export const severalOfDiff = ['rename', 'only'] as const;

export const diffRowQuery = z.strictObject({ ...sides, line: wholeNumber, repeat: wholeNumber });

export const labelsQuery = z.strictObject({
  evaluation: text,
  metric: text,
  run: text,
  order: z.enum(['disagreement', 'line']).optional(),
  cursor: text,
  limit,
  line: wholeNumber.optional(),
  repeat: wholeNumber.optional(),
});

export const playgroundQuery = z.strictObject({ run: text, line: wholeNumber.optional(), node: text });

export const evaluationQuery = z.strictObject({ path: z.string().max(2000) });

/**
 * The query of a request by its schema; `filter` of rows is read apart, `language` is anybody's.
 *
 * @throws ProjectFailure with all that does not fit
 */
export function readQuery<Schema extends z.ZodType>(
  request: HonoRequest,
  schema: Schema,
  apart: readonly string[] = [],
): z.output<Schema> {
  const given = Object.entries(request.query()).filter(([name]) => name !== 'language' && !apart.includes(name));
  const read = readShape(schema, Object.fromEntries(given));
  if (read.ok) return read.value;
  throw badQuery(read.message);
}

/** `?language=ja`, for who can set no header; else the first of those there are that the request accepts; English. */
export function readLanguage(request: HonoRequest): Language {
  const accepted = (request.header('accept-language') ?? '').split(',').map((one) => one.trim().slice(0, 2));
  return [request.query('language'), ...accepted].find(isLanguage) ?? 'en';
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag === 'en' || tag === 'ja';
}

const maxFilters = 20;

/** @throws ProjectFailure where one is none */
export function readFilters(request: HonoRequest): readonly z.output<typeof rowFilter>[] {
  const given = request.queries('filter') ?? [];
  if (given.length > maxFilters) throw badQuery(`filter: at most ${maxFilters} can be given`);
  return given.map((one) => {
    const read = readShape(rowFilter, parsed(one));
    if (read.ok) return read.value;
    throw badQuery(`filter: ${read.message}`);
  });
}

/** @throws ProjectFailure where a kind of change is none */
export function readSeveralOfDiff(request: HonoRequest): {
  readonly rename: readonly string[];
  readonly only: readonly z.output<typeof changeKind>[];
} {
  const read = readShape(z.array(changeKind).max(changeKind.options.length), request.queries('only') ?? []);
  if (read.ok) return { rename: request.queries('rename') ?? [], only: read.value };
  throw badQuery(`only: ${read.message}`);
}

/** @throws ProjectFailure where it is no place of a row */
export function readPlace(request: HonoRequest): { readonly line: number; readonly repeat: number } {
  const read = readShape(z.object({ line: wholeNumber, repeat: wholeNumber }), request.param());
  if (read.ok) return read.value;
  throw badQuery(read.message);
}

/** @throws ProjectFailure with all that does not fit */
export async function readBody<Schema extends z.ZodType>(
  request: HonoRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const given: unknown = await request.json().catch(() => {
    throw badQuery('the body must be JSON');
  });
  const read = readShape(schema, given);
  if (read.ok) return read.value;
  throw badQuery(read.message);
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw badQuery('filter: must be JSON');
  }
}

export function badQuery(message: string): ProjectFailure {
  return new ProjectFailure(message, { code: 'BadQuery' });
}
