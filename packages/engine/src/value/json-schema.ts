import { Ajv, type ErrorObject } from 'ajv';
import { printJson, type Value, type Values } from './json.ts';

/** What is wrong with a value; `path` is `address.zip`, empty for the value itself. */
export interface SchemaProblem {
  readonly path: string;
  readonly message: string;
}

export type SchemaCheck = (value: Value) => readonly SchemaProblem[];

/**
 * Compiles a JSON Schema (draft-07, as Ajv reads it) once; the check gives all problems of a value.
 *
 * @throws Error with Ajv's message when the schema itself is wrong
 */
export function compileJsonSchema(schema: Values): SchemaCheck {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(plain(schema) as object);
  return (value) => (validate(plain(value)) ? [] : (validate.errors ?? []).map(problemOf));
}

/** Ajv knows no Float and no bigint. */
function plain(value: Value): unknown {
  return JSON.parse(printJson(value));
}

function problemOf({ instancePath, message = 'does not fit', params }: ErrorObject): SchemaProblem {
  const { additionalProperty } = params as { readonly additionalProperty?: string };
  return {
    path: instancePath.slice(1).replaceAll('/', '.'),
    message: additionalProperty === undefined ? message : `${message}: ${additionalProperty}`,
  };
}
