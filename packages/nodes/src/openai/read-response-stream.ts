import * as z from 'zod';
import { type AnswerProblem, errorInAnswer, type ReadAnswer, unusable } from './read-answer.ts';
import { parseResponse, textOf } from './read-response.ts';
import { firstIssue } from './schema-issue.ts';

const event = z.looseObject({
  type: z.string(),
  delta: z.unknown().optional(),
  response: z.unknown().optional(),
});

/** Events that end a stream, each with the whole response, and what they say of it. */
const endings: ReadonlyMap<string, string> = new Map([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
]);

/** The API's own event for an error has its words beside the type; the client throws it only where its line of SSE names it too. */
function errorEvent(one: unknown): AnswerProblem {
  const {
    type: _type,
    sequence_number: _number,
    ...error
  } = one as { readonly type: unknown; readonly sequence_number?: unknown };
  return errorInAnswer(one) ?? errorInAnswer({ error }) ?? unusable('the stream told an error without a word', one);
}

/** The event and the response in it say how it ended; that it did well holds where both say so. */
function withStatus(response: unknown, status: string): unknown {
  if (status === 'completed' || typeof response !== 'object' || response === null) return response;
  return { ...response, status };
}

/** What of the text was not handed on yet is handed on; where another one was, that is told. */
function endOf(read: ReadAnswer, said: string, onText: ((text: string) => void) | undefined): ReadAnswer {
  if (!read.ok || onText === undefined) return read;
  const text = textOf(read.reply.whole);
  if (text.startsWith(said)) {
    if (text.length > said.length) onText(text.slice(said.length));
    return read;
  }
  const warnings = [
    ...(read.reply.warnings ?? []),
    'the text that was streamed is not that of the response at its end',
  ];
  return { ok: true, reply: { ...read.reply, warnings } };
}

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
    if (type === 'error') return { ok: false, problem: errorEvent(one) };
    const status = endings.get(type);
    if (status !== undefined) return endOf(parseResponse(withStatus(response, status), asFunction), said, onText);
    if (type !== 'response.output_text.delta' || typeof delta !== 'string') continue;
    said += delta;
    onText?.(delta);
  }
  return { ok: false, problem: unusable('the stream ended before the response was complete', said) };
}
