import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * What is wrong with the signature of a request, undefined where it is that of one of the keys. AWS Signature Version 4,
 * "Create a signed AWS API request" of the IAM User Guide.
 *
 * @param secrets secret keys by the ids of their access keys
 */
export function signatureProblem(
  request: SignedRequest,
  service: string,
  secrets: Readonly<Record<string, string>>,
): string | undefined {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/([^/]+)\/aws4_request), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, keyId = '', scope = '', named, signedHeaders = '', signature] =
    parts.exec(String(request.headers.authorization)) ?? [];
  if (named !== service) return `no signature for ${service}`;
  const secret = secrets[keyId];
  if (secret === undefined) return `there is no access key ${keyId}`;
  const canonical = [
    request.method,
    ...canonicalAddress(request.path),
    ...signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(request.body),
  ].join('\n');
  const date = String(request.headers['x-amz-date']);
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'the signature does not match';
}

/** Path, each of its segments encoded once more, and query in the order of its names. */
function canonicalAddress(address: string): readonly [string, string] {
  const [path = '/', query = ''] = address.split('?');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return [encoded, query.split('&').sort().join('&')];
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
