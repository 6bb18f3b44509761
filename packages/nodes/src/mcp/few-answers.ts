import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Answers of ours that may be on their way at a time. */
const maxAnswers = 20;

/**
 * Sends what we ask as before, and of our answers only so many at a time: a server may ask thousands of things in one message,
 * and read no answer.
 *
 * @param onDoubt told where one was left out
 */
export function withFewAnswers(transport: Transport, onDoubt: (doubt: string) => void): Transport {
  const send = transport.send.bind(transport);
  let onTheirWay = 0;
  transport.send = async (message, options) => {
    if ('method' in message) return await send(message, options);
    if (onTheirWay >= maxAnswers) return onDoubt(`asks more than ${maxAnswers} things at a time; no more are answered`);
    onTheirWay += 1;
    try {
      await send(message, options);
    } finally {
      onTheirWay -= 1;
    }
  };
  return transport;
}
