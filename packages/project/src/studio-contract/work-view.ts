import * as z from 'zod';
import { figure, list } from './figures.ts';

/** What works on a run that is on workers, and what holds it back, at this moment. */
export const workView = z.strictObject({
  /** No new row begins. */
  isStopping: z.boolean(),
  /** All that are there, by their names. */
  workers: list(
    z.strictObject({
      name: z.string(),
      host: z.string(),
      /** Its number there. */
      process: z.int(),
      /** In flight. */
      rows: figure,
      /** In flight, those with most rows first. */
      nodes: list(z.strictObject({ name: z.string(), rows: z.int() })),
      /** Since it was heard of, in whole seconds. */
      silent: figure,
      /** Why it cannot run it. */
      lacks: z.string().optional(),
    }),
  ),
  /** In flight at all workers, those with most rows first. */
  nodes: list(z.strictObject({ name: z.string(), rows: z.int() })),
  /** Connections that are held back. */
  paces: list(
    z.strictObject({
      connection: z.string(),
      /** Calls at a time; absent where as many as are wanted. */
      most: z.int().optional(),
      /** Until calls are made again; absent where they are. */
      wait: figure.optional(),
    }),
  ),
  /** Of the whole run; `share` of it is spent, 0 to 1. */
  budget: list(
    z.strictObject({ of: z.enum(['tokens', 'cost', 'seconds']), spent: figure, most: figure, share: z.number() }),
  ),
});

export type WorkView = z.infer<typeof workView>;
