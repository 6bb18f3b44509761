import { type JsonObject, type JsonValue, jsonIn } from '@unroll/engine';
import { compileJsonSchema } from '@unroll/engine/json-schema';
import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';

/** The value, or what a text says as JSON, fits a JSON Schema (draft-07, or 2020-12 where its `$schema` says so). */
export const jsonSchema = defineEvaluator({
  name: 'json_schema',
  about: 'the value, or the JSON a text holds, fits a JSON Schema',
  parameters: z
    .strictObject({
      schema: z
        .record(z.string(), z.unknown())
        .describe('JSON Schema, draft-07, or 2020-12 where its $schema says so.'),
    })
    .superRefine(({ schema }, context) => {
      const problem = schemaProblem(schema as JsonObject);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['schema'], message: problem });
    }),
  expected: 'none',
  measures: 'value',
  prepare: ({ schema }) => {
    const check = compileJsonSchema(schema as JsonObject);
    return {
      kind: 'pass',
      better: 'higher',
      score: ({ value }) => {
        const read = asJson(value);
        const problems = read === undefined ? undefined : check(read);
        const unknown = problems?.find(({ isUnknown }) => isUnknown === true);
        if (unknown !== undefined) return { unscored: unknown.message, isError: true };
        return passed(problems?.length === 0);
      },
    };
  },
});

function schemaProblem(schema: JsonObject): string | undefined {
  try {
    compileJsonSchema(schema);
    return undefined;
  } catch (error) {
    return `a JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A value as it is, a text as the JSON it holds; undefined for a text that holds none. */
export function asJson(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' ? jsonIn(value) : value;
}
