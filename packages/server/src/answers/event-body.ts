/**
 * A body that is written as things happen, and ends when `tell` has.
 *
 * @param onLeft called when nobody reads any more; what is written then goes nowhere
 */
export function eventBody(
  tell: (write: (text: string) => void) => Promise<void>,
  onLeft: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isRead = true;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      await tell((text) => {
        if (isRead) controller.enqueue(encoder.encode(text));
      });
      if (isRead) controller.close();
    },
    cancel() {
      isRead = false;
      onLeft();
    },
  });
}

/** The same answer, told when nobody reads it any more before its end. */
export function withLeaving(answer: Response, onLeft: () => void): Response {
  if (answer.body === null) return answer;
  const watched = answer.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ cancel: onLeft }));
  return new Response(watched, { status: answer.status, headers: answer.headers });
}
