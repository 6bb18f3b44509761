import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { JsonObject, JsonValue } from '@unroll/engine';
import { compileJsonSchema, type SchemaCheck } from '@unroll/engine/json-schema';

/**
 * Holds the answers of tools to the schemas that their server gives, as everywhere here: the official client's own check follows a
 * pattern for years. A schema is read when its tool first answers: a server may give thousands, and wrong ones, of tools that
 * nobody calls.
 */
export const answerSchemas: jsonSchemaValidator = {
  getValidator: <Answer>(schema: unknown) => {
    let check: SchemaCheck | undefined;
    return (answer: unknown) => {
      check ??= compileJsonSchema(schema as JsonObject);
      const problems = check(answer as JsonValue);
      if (problems.length === 0) return { valid: true, data: answer as Answer, errorMessage: undefined };
      const told = problems.map(({ path, message }) => `${path === '' ? 'it' : path} ${message}`).join('; ');
      return { valid: false, data: undefined, errorMessage: told };
    };
  },
};
