import { AnswerTooLarge } from '../http/answer-limit.ts';

/** A request on its way, as far as its answer is counted. */
interface CountedRequest {
  onDownloadProgress?: (progress: { readonly loadedBytes: number }) => void;
}

interface SeenAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | undefined };
}

interface LimitingPolicy {
  readonly name: string;
  sendRequest<Answer extends SeenAnswer>(
    request: CountedRequest,
    next: (request: CountedRequest) => Promise<Answer>,
  ): Promise<Answer>;
}

/** Gives up an answer of more bytes, unpacked, than are taken, and follows no redirect. */
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
      const { status, headers } = answer;
      if (status < 300 || status >= 400) return answer;
      throw Object.assign(new Error('it redirects'), { statusCode: status, response: { headers } });
    },
  };
}
