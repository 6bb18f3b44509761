import type { Stream } from 'openai/streaming';
import type { ReadAnswer } from './read-answer.ts';
import { wholeAnswerIn } from './unusable-body.ts';

/**
 * What a service streams, read and then let go. A server that cannot stream answers whole: that is taken, none of it in pieces,
 * and told.
 *
 * @throws what the connection failed with
 */
export async function readStreamed<Part>(
  opened: PromiseLike<Stream<Part>>,
  read: (parts: Stream<Part>) => Promise<ReadAnswer>,
  parseWhole: (json: unknown) => ReadAnswer,
): Promise<ReadAnswer> {
  try {
    const parts = await opened;
    try {
      return await read(parts);
    } finally {
      parts.controller.abort();
    }
  } catch (error) {
    const whole = wholeAnswerIn(error);
    if (whole === undefined) throw error;
    return notStreamed(parseWhole(whole));
  }
}

function notStreamed(answer: ReadAnswer): ReadAnswer {
  if (!answer.ok) return answer;
  const { warnings = [], ...reply } = answer.reply;
  const told = 'a stream was asked for, and the service answered whole: it may not be able to stream';
  return { ...answer, reply: { ...reply, warnings: [...warnings, told] } };
}
