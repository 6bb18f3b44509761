import * as z from 'zod';
import { nodeStatus, rowPlace } from './figures.ts';
import { runLine } from './runs-page.ts';
import { workView } from './work-view.ts';

/**
 * GET events?run: a stream (text/event-stream) whose `data` is one of these. Without `run` it tells of all runs and `row`, `node` and
 * `text` do not come. At most two a second of one run, but for what is streamed of rows that this studio runs.
 */
export const liveEvent = z.discriminatedUnion('type', [
  /** A run is new, or stands otherwise than before. */
  z.strictObject({ type: z.literal('run'), run: runLine }),
  z.strictObject({ type: z.literal('removed'), run: z.string() }),
  /** What was pending of a run's page is there now: it is to be asked for again. */
  z.strictObject({ type: z.literal('ready'), run: z.string() }),
  /** How many rows there are to be shown now: those in view stay as they are. */
  z.strictObject({ type: z.literal('rows'), run: z.string(), rows: z.int() }),
  /** Who works on a run on workers, and what holds it back; only with `run`. */
  z.strictObject({ type: z.literal('work'), run: z.string(), work: workView }),
  /** A node of a row that this studio runs. */
  z.strictObject({
    type: z.literal('node'),
    run: z.string(),
    ...rowPlace.shape,
    node: z.string(),
    status: z.union([nodeStatus, z.literal('Running')]),
  }),
  z.strictObject({ type: z.literal('text'), run: z.string(), ...rowPlace.shape, node: z.string(), text: z.string() }),
  /** Labels of an evaluation, or a file of it, changed. */
  z.strictObject({ type: z.literal('labels'), file: z.string() }),
]);

export type LiveEvent = z.infer<typeof liveEvent>;
