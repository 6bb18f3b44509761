import { type JsonValue, RunDamageError, type RunInfo } from '@unroll/engine';
import { parseOwnJson } from '@unroll/engine/record-format';
import { ProjectFailure } from '@unroll/project/project-failure';
import * as z from 'zod';

/** What every reader takes for granted; the rest of it is read with care where it is used. */
const storedInfo = z.looseObject({
  id: z.string(),
  flowPath: z.string(),
  flowName: z.string(),
  flowDigest: z.string(),
  startedAt: z.number(),
  nodes: z.array(z.looseObject({ name: z.string(), kind: z.string() })),
  outputs: z.array(z.looseObject({ name: z.string() })).optional(),
  options: z.looseObject({}).optional(),
  data: z
    .looseObject({ path: z.string().optional(), digest: z.string().optional(), total: z.number().optional() })
    .optional(),
});

/**
 * What a run was, from its row in the database: whoever may write there may write anything.
 *
 * @throws ProjectFailure where it is not what whoever began the run wrote
 */
export function readStoredInfo(id: string, text: string): RunInfo {
  const info = storedInfo.safeParse(parsed(text));
  if (!info.success || info.data.id !== id) throw damagedRun(id, 'what it was');
  return info.data as unknown as RunInfo;
}

/** @throws RunDamageError where it is no JSON */
export function readMetric(run: string, name: string, text: string): JsonValue {
  const value = parsed(text);
  if (value === undefined) throw new RunDamageError({ message: `the run ${run} is damaged: its metric ${name}` });
  return value as JsonValue;
}

/** @returns undefined where it is no JSON */
export function parsed(text: string, parse = parseOwnJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @param what of it cannot be read */
export function damagedRun(id: string, what: string): ProjectFailure {
  return new ProjectFailure(`run ${id} is damaged in the database: ${what} cannot be read`, {
    code: 'RunDamaged',
    kind: 'failed',
    help: 'flow runs rm removes it, and flow engine gc once it is over.',
  });
}
