import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boundedMatch, MatchTookTooLong } from './bounded-match.ts';
import { Float } from './float.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** What is wrong with a value; `path` is `address.zip`, empty for the value itself. */
export interface SchemaProblem {
  readonly path: string;
  readonly message: string;
  /** Whether the value fits was not found out. */
  readonly isUnknown?: true;
}

export type SchemaCheck = (value: JsonValue) => readonly SchemaProblem[];

/** Formats are not checked: Ajv knows none of its own, and prints the names of those it does not know. */
const options = {
  strict: false,
  strictNumbers: true,
  allErrors: true,
  validateFormats: false,
  // Else `toString` is a member of each object.
  ownProperties: true,
} as const;

type Reader = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

/** Compiling what all schemas are checked against takes longer than all else: once is enough. */
const schemasOfSchemas = new Map<Reader, Ajv | Ajv2019 | Ajv2020>();

/**
 * Compiles a JSON Schema once, as Ajv reads it: of the draft that its `$schema` names (06, 07, 2019-09, 2020-12) or, without one,
 * draft-07, and 2020-12 where it has a keyword of that. The check gives all problems of a value.
 *
 * @throws Error with Ajv's message when the schema itself is wrong, or that its draft is not read
 */
export function compileJsonSchema(schema: JsonObject): SchemaCheck {
  const { $schema, ...plainSchema } = plain(schema) as { readonly $schema?: unknown };
  const Reader = readerOf($schema, plainSchema);
  const schemaOfSchemas = schemasOfSchemas.get(Reader) ?? new Reader(options);
  schemasOfSchemas.set(Reader, schemaOfSchemas);
  schemaOfSchemas.validateSchema(plainSchema, true);
  // One of its own: schemas of the same $id do not meet, and none is kept longer than its check.
  const validate = ending(() => new Reader({ ...options, validateSchema: false }).compile(plainSchema));
  const check = endingCheck((value) => (validate(plain(value)) ? [] : (validate.errors ?? []).map(problemOf)));
  return holdsPatterns(plainSchema) ? (value) => boundedCheck(check, value) : check;
}

/** What says that a schema is of 2020-12: draft-07 passes over these keywords. */
const keywordsOf2020 =
  /"(?:prefixItems|unevaluated(?:Items|Properties)|dependent(?:Required|Schemas)|(?:min|max)Contains|\$dynamicRef)":/;

function readerOf($schema: unknown, schema: object): Reader {
  if ($schema === undefined) return isOf2020(schema) ? Ajv2020 : Ajv;
  const address = String($schema)
    .replace(/^https?:\/\/json-schema\.org\//, '')
    .replace(/#$/, '');
  const reader = readers.get(address);
  if (reader !== undefined) return reader;
  const drafts = 'draft-06, draft-07, 2019-09 and 2020-12';
  throw new Error(`its $schema is ${JSON.stringify($schema)}, and only those of ${drafts} are read`);
}

/** By the address of their schema at json-schema.org. Draft-07 has all that draft-06 has. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['schema', Ajv],
  ['draft-06/schema', Ajv],
  ['draft-07/schema', Ajv],
  ['draft/2019-09/schema', Ajv2019],
  ['draft/2020-12/schema', Ajv2020],
]);

/** A list of items is an earlier draft's. */
function isOf2020(schema: object): boolean {
  const text = JSON.stringify(schema);
  return keywordsOf2020.test(text) && !text.includes('"items":[');
}

const endless = 'its schema refers to itself without end';

/** A schema may refer to itself for the value it is about (`{"$ref": "#"}`), which has no end. */
function ending<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new Error(endless) : error;
  }
}

function endingCheck(check: SchemaCheck): SchemaCheck {
  return (value) => {
    try {
      return check(value);
    } catch (error) {
      if (error instanceof MatchTookTooLong) throw error;
      // Ajv's own code fails over some schemas of 2020-12, `patternProperties` beside `oneOf` among them.
      const why = error instanceof RangeError ? endless : 'Ajv fails over its schema';
      return [{ path: '', message: `cannot be checked: ${why}`, isUnknown: true }];
    }
  };
}

function holdsPatterns(schema: object): boolean {
  return JSON.stringify(schema).includes('"pattern');
}

function boundedCheck(check: SchemaCheck, value: JsonValue): readonly SchemaProblem[] {
  try {
    return boundedMatch(() => check(value));
  } catch (error) {
    if (!(error instanceof MatchTookTooLong)) throw error;
    return [{ path: '', message: `${error.message}: whether it fits is not known`, isUnknown: true }];
  }
}

/** Ajv knows no Float and no bigint; NaN and infinite numbers are no numbers to it. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return value.valueOf();
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plain);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member as JsonValue)]));
}

function problemOf({ instancePath, message = 'does not fit', params }: ErrorObject): SchemaProblem {
  const { additionalProperty } = params as { readonly additionalProperty?: string };
  return {
    path: instancePath.slice(1).replaceAll('/', '.'),
    message: additionalProperty === undefined ? message : `${message}: ${additionalProperty}`,
  };
}
