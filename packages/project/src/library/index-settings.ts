import type { Fusion, SearchFilter } from '@unroll/engine';
import * as z from 'zod';
import { name } from './name-setting.ts';

const count = z.int().min(1);
const embedder = z.strictObject({ connection: name, model: name.optional(), dimensions: count.optional() });
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

export const indexUpdateSettings = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  connectionsFile: name.optional(),
  limitRpm: count.optional(),
  limitTpm: count.optional(),
});

export const indexBuildSettings = indexUpdateSettings.extend({
  embedder: embedder.optional(),
  chunkTokens: count.optional(),
  overlap: z.int().min(0).optional(),
  rebuild: z.boolean().optional(),
  azure: name.optional(),
  name: name.optional(),
});

export const indexQuerySettings = z.strictObject({
  connectionsFile: name.optional(),
  embedder: embedder.optional(),
  azure: name.optional(),
  semantic: name.optional(),
  /** 5 where it is not said. */
  topK: count.default(5),
  mode: z.enum(['keyword', 'vector', 'hybrid']).optional(),
  minimumScore: z.number().optional(),
  filter: z.custom<SearchFilter>(isObject, 'must be an object').optional(),
  fields: z.array(z.string()).readonly().optional(),
  fusion: z.custom<Fusion>(isObject, 'must be an object').optional(),
  signal: z.instanceof(AbortSignal).optional(),
});
