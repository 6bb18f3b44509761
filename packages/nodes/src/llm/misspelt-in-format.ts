import { type JsonValue, mappingOf, misspeltKeywords } from '@unroll/engine';

interface MisspeltInFormat {
  readonly message: string;
  readonly help: string;
  /** Below the value that was given. */
  readonly path: readonly (string | number)[];
}

/** Keywords in the schema of a `response_format` that are nearly known ones. */
export function misspeltInFormat(format: JsonValue): readonly MisspeltInFormat[] {
  const { schema } = mappingOf(mappingOf(format)['json_schema']);
  return misspeltKeywords(schema ?? null).map(({ written, meant, path }) => ({
    message: `the schema of response_format has "${written}", which is no keyword of JSON Schema`,
    help: `did you mean "${meant}"?`,
    path: ['json_schema', 'schema', ...path],
  }));
}
