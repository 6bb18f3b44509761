import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { isMapping, type JsonValue, stringifyJson } from '@unroll/engine';
import type { CaseRequest } from './case.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the connection broke before the end of the body. */
  readonly isBroken: boolean;
}

/** Sends the request of a case as it is written, byte for byte. */
export function sendRequest(place: string, { method, path, ...rest }: CaseRequest): Promise<Answer> {
  const [host, port] = place.split(':');
  const body = bodyOf(rest);
  const headers = headerPairs(rest);
  const named = (name: string): boolean => headers.some(([one]) => one.toLowerCase() === name);
  if (rest.json !== undefined && !named('content-type')) headers.push(['Content-Type', 'application/json']);
  if (rest.chunked === true) headers.push(['Transfer-Encoding', 'chunked']);
  else if (body !== undefined && !named('content-length')) headers.push(['Content-Length', String(body.length)]);
  if (!named('host')) headers.push(['Host', place]);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, method, path, headers: headers.flat(), agent: false }, (response) => {
      const parts: Buffer[] = [];
      const end = (isBroken: boolean): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
          isBroken,
        });
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => end(true));
      response.on('end', () => end(!response.complete));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function headerPairs({ headers = [] }: Pick<CaseRequest, 'headers'>): (readonly [string, string])[] {
  return Array.isArray(headers)
    ? [...(headers as readonly (readonly [string, string])[])]
    : Object.entries(headers as Readonly<Record<string, string>>);
}

function bodyOf({ json, data, data_base64: base64 }: Omit<CaseRequest, 'method' | 'path'>): Buffer | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (data !== undefined) return Buffer.from(String(repeated(data)));
  return json === undefined ? undefined : Buffer.from(stringifyJson(repeated(json)));
}

/** `{"$repeat": [text, count]}` stands for a long text, at any depth. */
function repeated(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(repeated);
  if (!isMapping(value)) return value;
  const { $repeat: repeat } = value;
  if (Array.isArray(repeat)) return String(repeat[0]).repeat(Number(repeat[1]));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, repeated(member)]));
}
