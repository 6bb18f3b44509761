import type { JsonValue } from '@unroll/engine';
import * as z from 'zod';

/** One argument as `tools.ja.yml` writes it. */
export interface ArgumentDefinition {
  readonly field_name: string;
  readonly schema: ArgumentType;
  /** Members, where the argument is an object. */
  readonly nest?: readonly ArgumentDefinition[] | undefined;
  /** Means what it means within `schema`. */
  readonly enum?: readonly JsonValue[] | undefined;
}

export interface ArgumentType {
  readonly annotation: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly JsonValue[] | undefined;
  /** Type of the elements, where the argument is an array. */
  readonly items?: ArgumentType | undefined;
  /** Members, where the elements are objects. */
  readonly nest?: readonly ArgumentDefinition[] | undefined;
}

const members = z.lazy(() => z.array(argumentDefinition)).optional();
const allowedValues = z.array(z.custom<JsonValue>(() => true)).optional();

const argumentType: z.ZodType<ArgumentType> = z.looseObject({
  annotation: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: allowedValues,
  items: z.lazy(() => argumentType).optional(),
  nest: members,
});

/** The shape alone; what the types allow is looked at by `argumentSchema`. Other keys of the manual's are taken. */
export const argumentDefinition: z.ZodType<ArgumentDefinition> = z.looseObject({
  field_name: z.string(),
  schema: argumentType,
  nest: members,
  enum: allowedValues,
});
