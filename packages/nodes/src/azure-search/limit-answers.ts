import { readJson } from '../http/ask-service.ts';
import { bytesOf } from '../http/fetch.ts';
import { utf8Text } from '../http/utf8.ts';

/** A request on its way, as far as it tells which answers come as bytes. */
interface SentRequest {
  streamResponseStatusCodes?: Set<number>;
}

interface SeenAnswer {
  readonly status: number;
  readableStreamBody?: AsyncIterable<unknown>;
  bodyAsText?: string | null;
  readonly headers: { get(name: string): string | undefined };
}

interface LimitingPolicy {
  readonly name: string;
  sendRequest<Answer extends SeenAnswer>(
    request: SentRequest,
    next: (request: SentRequest) => Promise<Answer>,
  ): Promise<Answer>;
}

/** The client's word for answers of any status. */
const allStatuses: readonly number[] = [Number.POSITIVE_INFINITY];

/**
 * Gives up an answer of more bytes, unpacked, than are taken, and one whose bytes are no UTF-8; follows no redirect, and throws a
 * refusal of which the client would lose the status: one without an error in its body.
 */
export function limitAnswers(maxBytes: number): LimitingPolicy {
  return {
    name: 'limitAnswers',
    async sendRequest(request, next) {
      request.streamResponseStatusCodes = new Set(allStatuses);
      const answer = await next(request);
      const bodyAsText = await boundedText(answer, maxBytes);
      answer.bodyAsText = bodyAsText;
      delete answer.readableStreamBody;
      const { status, headers } = answer;
      // A challenge (401) is answered by the client itself.
      const isRefusal = status >= 400 && headers.get('www-authenticate') === undefined;
      if (isRefusal && !reportsError(bodyAsText)) throw refusal('', answer);
      if (status >= 300 && status < 400) throw refusal('it redirects', answer);
      return answer;
    },
  };
}

/** @throws AnswerTooLarge, NoUtf8, and what the connection failed with */
async function boundedText({ status, readableStreamBody: body }: SeenAnswer, maxBytes: number): Promise<string> {
  const bytes = Buffer.from(await bytesOf((body ?? none()) as AsyncIterable<Uint8Array>, maxBytes));
  return status < 300 ? utf8Text(bytes) : bytes.toString('utf8');
}

async function* none(): AsyncGenerator<never> {}

function refusal(message: string, { status, headers, bodyAsText }: SeenAnswer): Error {
  return Object.assign(new Error(message), { statusCode: status, response: { headers, bodyAsText } });
}

function reportsError(body: string | null | undefined): boolean {
  const answer = readJson(body ?? '');
  if (typeof answer !== 'object' || answer === null) return false;
  const { error } = answer as { readonly error?: { readonly message?: unknown } | null };
  return typeof error?.message === 'string';
}
