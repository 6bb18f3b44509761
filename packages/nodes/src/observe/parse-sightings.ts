import * as z from 'zod';
import type { Sighting } from './sighting.ts';

const text = z.string().max(10_000);
const schema = z.array(
  z.union([
    z.strictObject({ kind: z.literal('import'), from: text, to: text }),
    z.strictObject({ kind: z.literal('package'), module: text, name: text, from: text }),
    z.strictObject({ kind: z.literal('read'), by: z.array(text), part: text, value: text }),
  ]),
);

/** What a worker tells that it saw; undefined where that is nothing of the kind. */
export function parseSightings(written: unknown): readonly Sighting[] | undefined {
  const parsed = schema.safeParse(written);
  return parsed.success ? parsed.data : undefined;
}
