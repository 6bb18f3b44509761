import { language, words } from '../words/words.ts';
import { apiBase, type Failure, failureOf, isLost } from './request.ts';

/**
 * Sends a body and tells each event of the answer as it comes; ends with the stream, or when `signal` is aborted.
 *
 * @returns why it was refused, or broke off
 */
export async function readEvents<Event>(
  path: string,
  body: object,
  tell: (event: Event) => void,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const headers = { 'content-type': 'application/json', 'accept-language': language.peek() };
    const response = await fetch(apiBase + path, { method: 'POST', body: JSON.stringify(body), headers, signal });
    isLost.value = false;
    if (!response.ok || response.body === null) {
      const said: unknown = await response.json().catch(() => undefined);
      return failureOf(said) ?? { code: String(response.status), message: response.statusText };
    }
    let rest = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const events = (rest + piece.value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) tell(JSON.parse(event.slice(6)) as Event);
    }
    return undefined;
  } catch {
    if (signal.aborted) return undefined;
    isLost.value = true;
    return { code: 'NotConnected', message: words.peek().lost };
  }
}
