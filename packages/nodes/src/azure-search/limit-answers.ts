import { AnswerTooLarge } from '../http/answer-limit.ts';
import { readJson } from '../http/ask-service.ts';

/** A request on its way, as far as its answer is counted. */
interface CountedRequest {
  onDownloadProgress?: (progress: { readonly loadedBytes: number }) => void;
}

interface SeenAnswer {
  readonly status: number;
  readonly bodyAsText?: string | null;
  readonly headers: { get(name: string): string | undefined };
}

interface LimitingPolicy {
  readonly name: string;
  sendRequest<Answer extends SeenAnswer>(
    request: CountedRequest,
    next: (request: CountedRequest) => Promise<Answer>,
  ): Promise<Answer>;
}

/**
 * Gives up an answer of more bytes, unpacked, than are taken, follows no redirect, and throws a refusal of which the client
 * would lose the status: one without an error in its body.
 */
export function limitAnswers(mostBytes: number): LimitingPolicy {
  return {
    name: 'limitAnswers',
    async sendRequest(request, next) {
      let isTooLarge = false;
      request.onDownloadProgress = ({ loadedBytes }) => {
        isTooLarge ||= loadedBytes > mostBytes;
        // What is thrown here ends the answer; the client tells it as one that cannot be parsed.
        if (isTooLarge) throw new AnswerTooLarge(mostBytes);
      };
      const answer = await next(request).catch((error: unknown) => {
        throw isTooLarge ? new AnswerTooLarge(mostBytes) : error;
      });
      const { status, headers, bodyAsText } = answer;
      // A challenge (401) is answered by the client itself.
      const isRefusal = status >= 400 && headers.get('www-authenticate') === undefined;
      if (isRefusal && !tellsError(bodyAsText)) throw refusal('', answer);
      if (status >= 300 && status < 400) throw refusal('it redirects', answer);
      return answer;
    },
  };
}

function refusal(message: string, { status, headers, bodyAsText }: SeenAnswer): Error {
  return Object.assign(new Error(message), { statusCode: status, response: { headers, bodyAsText } });
}

function tellsError(body: string | null | undefined): boolean {
  const told = readJson(body ?? '');
  if (typeof told !== 'object' || told === null) return false;
  const { error } = told as { readonly error?: { readonly message?: unknown } | null };
  return typeof error?.message === 'string';
}
