import { type JsonObject, type JsonValue, listOf, mappingOf, misspeltKeywords } from '@unroll/engine';

interface Misspelt {
  readonly message: string;
  readonly help: string;
  /** The parameter and what is below it. */
  readonly path: readonly [parameter: string, ...below: (string | number)[]];
}

interface SentSchema {
  readonly schema: JsonValue | undefined;
  readonly path: readonly (string | number)[];
}

/** Where the parameters of a call hold JSON Schemas. */
const schemasOf: Readonly<Record<string, (value: JsonValue) => readonly SentSchema[]>> = {
  response_format: (format) => [
    { schema: mappingOf(mappingOf(format)['json_schema'])['schema'], path: ['json_schema', 'schema'] },
  ],
  tools: (tools) =>
    listOf(tools).map((tool, at) => ({
      schema: mappingOf(mappingOf(tool)['function'])['parameters'],
      path: [at, 'function', 'parameters'],
    })),
  functions: (functions) =>
    listOf(functions).map((one, at) => ({ schema: mappingOf(one)['parameters'], path: [at, 'parameters'] })),
};

/** Keywords in the schemas of a call's parameters that are nearly known ones. */
export function misspeltInSchemas(parameters: JsonObject): readonly Misspelt[] {
  return Object.entries(schemasOf).flatMap(([name, schemasIn]) =>
    schemasIn(parameters[name] ?? null).flatMap(({ schema = null, path }) =>
      misspeltKeywords(schema).map((misspelt) => ({
        message: `the schema of ${name} has "${misspelt.written}", which is no keyword of JSON Schema`,
        help: `did you mean "${misspelt.meant}"?`,
        path: [name, ...path, ...misspelt.path] as const,
      })),
    ),
  );
}
