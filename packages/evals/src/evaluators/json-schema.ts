import { type JsonObject, type JsonValue, jsonIn, misspeltKeywords, thrownText } from '@unroll/engine';
import { compileJsonSchema } from '@unroll/engine/json-schema';
import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';

/** The value, or what a text says as JSON, fits a JSON Schema, of the drafts that `compileJsonSchema` reads. */
export const jsonSchema = defineEvaluator({
  name: 'json_schema',
  about: 'the value, or the JSON a text holds, fits a JSON Schema',
  parameters: z
    .strictObject({
      schema: z
        .record(z.string(), z.unknown())
        .describe(
          'JSON Schema of the draft its $schema names; without one draft-07, or 2020-12 where it has a keyword of that.',
        ),
    })
    .superRefine(({ schema }, context) => {
      const problem = schemaProblem(schema as JsonObject);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['schema'], message: problem });
    }),
  expected: 'none',
  measures: 'value',
  doubtsOf: ({ schema = null }) =>
    misspeltKeywords(schema).map(({ written, meant, path }) => ({
      message: `the schema has "${written}", which is no keyword of JSON Schema`,
      help: `did you mean "${meant}"?`,
      path: ['schema', ...path],
    })),
  prepare: ({ schema }) => {
    const check = compileJsonSchema(schema as JsonObject);
    const isOfTexts = [schema['type']].flat().includes('string');
    return {
      kind: 'pass',
      better: 'higher',
      score: ({ value }) => {
        const found = readingsOf(value, isOfTexts).map(check);
        if (found.some((problems) => problems.length === 0)) return passed(true);
        const unknown = found.flat().find(({ isUnknown }) => isUnknown === true);
        return unknown === undefined ? passed(false) : { unscored: unknown.message, isError: true };
      },
    };
  },
});

/**
 * What of a value may fit: of a text the JSON it holds, and the text itself only where the schema says `type: string`, since most other
 * schemas ask nothing of texts and any would fit.
 */
function readingsOf(value: JsonValue, isOfTexts: boolean): readonly JsonValue[] {
  const read = asJson(value);
  const readings = read === undefined ? [] : [read];
  return isOfTexts && typeof value === 'string' ? [...readings, value] : readings;
}

function schemaProblem(schema: JsonObject): string | undefined {
  try {
    compileJsonSchema(schema);
    return undefined;
  } catch (error) {
    return `a JSON Schema: ${thrownText(error)}`;
  }
}

/** A value as it is, a text as the JSON it holds; undefined for a text that holds none. */
export function asJson(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' ? jsonIn(value) : value;
}
