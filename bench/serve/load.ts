import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** What many clients saw of a server. */
export interface Load {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 200, connections that were refused, and requests that were taken and never answered. */
  readonly failed: { readonly status: number; readonly refused: number; readonly lost: number };
}

const body = JSON.stringify({ question: 'May we mail our customers?' });

/** How many clients ask: as often as they can, or each of them every so many milliseconds. */
export interface Pace {
  readonly connections: number;
  readonly everyMs?: number;
}

/** Asks `/score` so many times over so many connections that are kept open; each asks again once it has its answer and its time has come. */
export async function load(url: string, requests: number, { connections, everyMs = 0 }: Pace): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  const failed = { status: 0, refused: 0, lost: 0 };
  let left = requests;
  const startedAt = performance.now();
  const client = async (_: unknown, at: number): Promise<void> => {
    let due = startedAt + (at * everyMs) / connections;
    while (left > 0) {
      left -= 1;
      if (everyMs > 0) await setTimeout(Math.max(0, due - performance.now()));
      due += everyMs;
      const askedAt = performance.now();
      const end = await ask(url, agent);
      if (end !== 'answered') failed[end] += 1;
      took.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(share * took.length)] ?? Number.NaN;
  return { requestsPerSecond: requests / seconds, p50: at(0.5), p99: at(0.99), failed };
}

function ask(url: string, agent: Agent): Promise<'answered' | 'status' | 'refused' | 'lost'> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request(`${url}/score`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200 ? 'answered' : 'status'));
    });
    asked.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' ? 'refused' : 'lost'));
    asked.end(body);
  });
}

/** Streams that are open at the same time: how many had their first event, how many ended with their row, and how many with a completed one. */
export async function openStreams(
  url: string,
  path: string,
  count: number,
): Promise<Readonly<Record<'begun' | 'ended' | 'completed', number>>> {
  const seen = { begun: 0, ended: 0, completed: 0 };
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
      const asked = request(`${url}${path}`, { agent: false, method: 'POST', headers }, (answer) => {
        answer.once('data', () => {
          seen.begun += 1;
        });
        let events = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          events += piece;
        });
        answer.on('close', () => {
          if (events.includes('event: row-ended')) seen.ended += 1;
          if (events.includes('"status":"Completed"')) seen.completed += 1;
          resolve();
        });
      });
      asked.on('error', () => resolve());
      asked.end(body);
    });
  await Promise.all(Array.from({ length: count }, one));
  return seen;
}
