import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signatureProblem } from './aws-signature.ts';

export interface StsRole {
  readonly arn: string;
  /** Id of the access key that may assume it. */
  readonly trusts: string;
  readonly externalId?: string;
  /** Keys of its sessions. */
  readonly keys: { readonly id: string; readonly secret: string; readonly token: string };
  /** Seconds a session lasts; 3600. */
  readonly lasts?: number;
}

export interface StsServer extends AsyncDisposable {
  readonly endpoint: string;
  /** The parameters of each request, in order. */
  readonly requests: readonly Readonly<Record<string, string>>[];
}

/**
 * A loopback stand-in for AssumeRole of AWS STS (API version 2011-06-15). A request that the published contract does not
 * allow (parameters, their patterns, a signature that does not match) is refused with the service's own error.
 *
 * @param secrets secret keys of those who may ask, by the ids of their access keys
 */
export async function startStsServer(
  roles: readonly StsRole[],
  secrets: Readonly<Record<string, string>>,
): Promise<StsServer> {
  const requests: Record<string, string>[] = [];
  const known = { ...secrets, ...Object.fromEntries(roles.map(({ keys }) => [keys.id, keys.secret])) };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const given = Object.fromEntries(new URLSearchParams(body));
    requests.push(given);
    const { method = '', url: path = '', headers } = request;
    const unsigned = signatureProblem({ method, path, headers, body }, 'sts', known);
    const [, keyId] = /Credential=([^/]+)\//.exec(String(headers.authorization)) ?? [];
    const role = roles.find(({ arn }) => arn === given['RoleArn']);
    const isTrusted = role !== undefined && role.trusts === keyId && role.externalId === given['ExternalId'];
    const wrong = problemOf(method, path, given);
    response.setHeader('content-type', 'text/xml');
    if (unsigned !== undefined) return void response.writeHead(403).end(errorBody('SignatureDoesNotMatch', unsigned));
    if (wrong !== undefined) return void response.writeHead(400).end(errorBody('ValidationError', wrong));
    if (role !== undefined && isTrusted) return void response.writeHead(200).end(sessionBody(role));
    const told = `User: ${keyId} is not authorized to perform: sts:AssumeRole on resource: ${given['RoleArn']}`;
    response.writeHead(403).end(errorBody('AccessDenied', told));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const patterns: Readonly<Record<string, RegExp>> = {
  Action: /^AssumeRole$/,
  Version: /^2011-06-15$/,
  RoleArn: /^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/,
  RoleSessionName: /^[\w+=,.@-]{2,64}$/,
  ExternalId: /^[\w+=,.@:/-]{2,1224}$/,
  DurationSeconds: /^\d{3,5}$/,
};

function problemOf(method: string, path: string, given: Readonly<Record<string, string>>): string | undefined {
  if (method !== 'POST' || path !== '/') return `${method} ${path}`;
  const missing = ['Action', 'Version', 'RoleArn', 'RoleSessionName'].find((name) => given[name] === undefined);
  if (missing !== undefined) return `${missing} is missing`;
  const wrong = Object.entries(given).find(([name, value]) => patterns[name]?.test(value) !== true);
  return wrong === undefined ? undefined : `${wrong[0]}=${wrong[1]}`;
}

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

function sessionBody({ arn, keys, lasts = 3600 }: StsRole): string {
  const ends = new Date(Date.now() + lasts * 1000).toISOString();
  return `<AssumeRoleResponse xmlns="${namespace}"><AssumeRoleResult><AssumedRoleUser><Arn>${arn}</Arn>
<AssumedRoleId>AROAEXAMPLE:unroll</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>${keys.id}</AccessKeyId>
<SecretAccessKey>${keys.secret}</SecretAccessKey><SessionToken>${keys.token}</SessionToken>
<Expiration>${ends}</Expiration></Credentials></AssumeRoleResult>
<ResponseMetadata><RequestId>sts-1</RequestId></ResponseMetadata></AssumeRoleResponse>`;
}

function errorBody(code: string, message: string): string {
  return `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>
<RequestId>sts-1</RequestId></ErrorResponse>`;
}
