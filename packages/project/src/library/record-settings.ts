import { dataEncodings } from '@unroll/engine/data-encoding';
import { dataFormats } from '@unroll/engine/data-format';
import * as z from 'zod';
import { name } from './name-setting.ts';

const amount = z.number().min(0);

export const listSettings = z.strictObject({
  limit: z.int().min(0).optional(),
  at: z.enum(['folder', 'engine']).optional(),
  tag: z.string().optional(),
});

export const limitSettings = z.strictObject({
  ageMs: amount.optional(),
  bytes: amount.optional(),
  count: z.int().min(0).optional(),
});

export const importSettings = z.strictObject({ name: name.optional() });

const tags = z.array(z.string()).readonly().optional();

export const marksSettings = z.strictObject({
  name: z.string().nullish(),
  note: z.string().nullish(),
  tags,
  addTags: tags,
  removeTags: tags,
});

export const whySettings = z.strictObject({
  row: name.optional(),
  node: name.optional(),
  against: name.optional(),
});

export const exportSettings = z.strictObject({
  format: z.enum(['jsonl', 'csv', 'parquet']).optional(),
  nodes: z.boolean().optional(),
});

export const datasetSettings = z.strictObject({
  format: z.enum(dataFormats).optional(),
  encoding: z.enum(dataEncodings).optional(),
});
