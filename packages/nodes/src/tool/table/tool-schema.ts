import * as z from 'zod';
import { argumentDefinition } from '../lambda/index.ts';

const values = z.record(z.string(), z.unknown());
const text = z.string().min(1);
const seconds = z.number().positive().max(3600);
const bytes = z.int().positive();

const limits = { timeout: seconds.optional(), max_bytes: bytes.optional() };
const described = {
  name: text,
  description: text,
  parameters: values.optional(),
  effects: z.enum(['reads', 'writes']).optional(),
  return_direct: z.boolean().optional(),
  ...limits,
};

/** By the pattern that AWS STS takes. */
export const roleArn = z
  .string()
  .regex(/^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'an ARN of a role, arn:aws:iam::123456789012:role/name');

const lambdaPlace = z.strictObject({
  function: text,
  region: text.optional(),
  endpoint: text.optional(),
  connection: text.optional(),
  role_arn: roleArn.optional(),
  local: text.optional(),
});

export const handle = z.strictObject({
  logging_args_schema: z.boolean().optional(),
  raise_function_processing_error: z.boolean().optional(),
});

/**
 * What an entry of a tool table may hold, by the key that says what stands behind it. The first key that an entry has
 * decides, in this order.
 */
export const entrySchemas = {
  mcp: z.strictObject({
    mcp: z.strictObject({
      name: text,
      command: text.optional(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      url: z.url().optional(),
      connection: text.optional(),
    }),
    allow: z.array(text).min(1),
    prefix: z.string().optional(),
    ...limits,
  }),
  lambda_files: z.strictObject({
    lambda_files: z.strictObject({ tools: text, assistant: text }),
    use: z.array(text).optional(),
    local: text.optional(),
    connection: text.optional(),
    endpoint: text.optional(),
  }),
  openapi: z.strictObject({
    openapi: text,
    action_group: text.optional(),
    operations: z.array(text).min(1).optional(),
    base_url: z.url().optional(),
    connection: text.optional(),
    code: text.optional(),
    return_control: z.literal(true).optional(),
    effects: z.enum(['reads', 'writes']).optional(),
    return_direct: z.boolean().optional(),
    ...limits,
  }),
  toolbench: z.strictObject({
    toolbench: z.strictObject({ url: z.url(), connection: text.optional() }),
    catalogue: text,
    apis: z.array(text).min(1).optional(),
    effects: z.enum(['reads', 'writes']).optional(),
    ...limits,
  }),
  lambda: z.strictObject({
    ...described,
    lambda: lambdaPlace,
    args: z.array(argumentDefinition).optional(),
    handle: handle.optional(),
  }),
  code: z.strictObject({ ...described, code: text, function: text.optional() }),
  return_control: z.strictObject({ ...described, return_control: z.literal(true) }),
  ends: z.strictObject({ ...described, ends: z.enum(['asked_user', 'gave_up', 'refused']) }),
} as const;

export type EntryKind = keyof typeof entrySchemas;

export const entryKinds = Object.keys(entrySchemas) as readonly EntryKind[];

export type WrittenEntry<K extends EntryKind> = z.infer<(typeof entrySchemas)[K]>;

/** As the model is told it, by the rule of OpenAI's API. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
