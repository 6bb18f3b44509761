import * as z from 'zod';
import { errorInAnswer, type ReadAnswer, unusable } from './read-answer.ts';
import { parseResponse } from './read-response.ts';
import { firstIssue } from './schema-issue.ts';

const event = z.looseObject({
  type: z.string(),
  delta: z.unknown().optional(),
  response: z.unknown().optional(),
});

/** Events that end a stream, each with the whole response. */
const endings = ['response.completed', 'response.incomplete', 'response.failed'];

/**
 * A streamed answer of `/responses`: its text handed on piece by piece, the answer read from the response that the last event
 * holds. A stream without such an event was cut short, and is no answer.
 *
 * @throws what the connection failed with
 */
export async function readResponseStream(
  events: AsyncIterable<unknown>,
  asFunction: boolean,
  onText: ((text: string) => void) | undefined,
): Promise<ReadAnswer> {
  let said = '';
  for await (const one of events) {
    const read = event.safeParse(one);
    if (!read.success) {
      const message = `an event of the stream cannot be used: ${firstIssue(read.error)}`;
      return { ok: false, problem: errorInAnswer(one) ?? unusable(message, one) };
    }
    const { type, delta, response } = read.data;
    if (endings.includes(type)) return parseResponse(response, asFunction);
    if (type !== 'response.output_text.delta' || typeof delta !== 'string') continue;
    said += delta;
    onText?.(delta);
  }
  return { ok: false, problem: unusable('the stream ended before the response was complete', said) };
}
