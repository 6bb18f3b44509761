import * as z from 'zod';
import { errorAnswer, list, nodeStatus, spokenOutputs } from './figures.ts';

/** GET chat: the flows of the folder that can be talked with. */
export const chatPage = z.strictObject({
  flows: list(
    z.strictObject({
      name: z.string(),
      /** As it is named in a turn. */
      path: z.string(),
      /** Whether what was said before goes with each turn. */
      hasHistory: z.boolean(),
      /** Other inputs, as JSON: those without a default are to be given. */
      inputs: list(z.strictObject({ name: z.string(), type: z.string(), json: z.string().optional() })),
    }),
  ),
});

/** POST chat/turns */
export const chatTurn = z.strictObject({
  flow: z.string(),
  /** Id of the record, given with the first turn's answer; the turns of a chat are rows of one record. */
  chat: z.string().optional(),
  message: z.string().max(1_000_000),
  /** The other inputs as JSON; those of the first turn hold for the chat. */
  inputs: z.record(z.string(), z.string().max(1_000_000)).optional(),
});

/** What a turn is answered with: a stream (text/event-stream) whose `data` is one of these. Who leaves stops it. */
export const chatAnswer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('began'), chat: z.string(), line: z.int() }),
  z.strictObject({ type: z.literal('node'), node: z.string(), status: z.union([nodeStatus, z.literal('Running')]) }),
  /** Of the node that answers. */
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('ended'),
    chat: z.string(),
    line: z.int(),
    status: z.enum(['Completed', 'Failed', 'Canceled']),
    said: spokenOutputs,
    /** In the words of the terminal. */
    error: z.string().optional(),
    /** The flow's files changed since the chat was begun, which goes on with what they were; absent: they did not. */
    isOutdated: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal('failed'), error: errorAnswer.shape.error }),
]);

export type ChatPage = z.infer<typeof chatPage>;
export type ChatTurn = z.infer<typeof chatTurn>;
export type ChatAnswer = z.infer<typeof chatAnswer>;
