import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WireIndex, wrongBatch, wrongDefinition, wrongSearch } from './azure-index-contract.ts';
import { parseOdata, type Row } from './odata-expression.ts';
import { rankRows } from './rank-rows.ts';
import type { SelfSigned } from './self-signed.ts';

/** An answer in place of the next ones. */
interface ServiceFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Only for requests whose path holds this. */
  readonly path?: string;
}

export interface AzureSearchServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or with https */
  readonly url: string;
  readonly key: string;
  /** Of every request, in order. */
  readonly seen: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
  /** Answers requests to come with these, one each. */
  fail(...failures: readonly ServiceFailure[]): void;
  /** Documents of an index. */
  count(index: string): number;
}

const versions = new Set(['2023-11-01', '2024-07-01', '2025-09-01', '2026-04-01']);

/**
 * Azure AI Search on the loopback interface: indexes, documents and searches, held in memory. Every request is checked
 * against the REST reference of the data plane (paths, api-version, key, parameters, types of columns, OData filters, vector
 * queries) and refused as the service refuses. Its ranking is its own: words counted, cosines, reciprocal ranks.
 *
 * @param queryOnly the key may only query, as a query key does
 * @param token of an Entra identity, taken as well
 * @param secure speaks TLS with this certificate
 */
export async function startAzureSearchServer({
  queryOnly = false,
  token,
  secure,
}: {
  readonly queryOnly?: boolean;
  readonly token?: string;
  readonly secure?: SelfSigned;
} = {}): Promise<AzureSearchServer> {
  const service = new Service(queryOnly, token);
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const text = Buffer.concat(parts).toString('utf8');
      const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
      const key = String(request.headers['api-key'] ?? '');
      const token = String(request.headers['authorization'] ?? '');
      send(response, service.answer(request.method ?? '', url, body, key !== '' ? key : token));
    });
  };
  const server = secure === undefined ? createServer(listener) : createSecureServer({ ...secure }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: service.key,
    seen: service.seen,
    fail: (...failures) => service.failures.push(...failures),
    count: (index) => service.indexes.get(index)?.rows.size ?? 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; odata.metadata=none', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function refuse(status: number, message: string): Reply {
  return {
    status,
    body: { error: { code: status === 404 ? 'ResourceNotFound' : 'InvalidRequestParameter', message } },
  };
}

interface KeptIndex {
  readonly definition: WireIndex;
  readonly rows: Map<string, Row>;
}

class Service {
  readonly key = 'search-admin-key-1';
  readonly indexes = new Map<string, KeptIndex>();
  readonly seen: { method: string; path: string; body: Readonly<Record<string, unknown>> }[] = [];
  readonly failures: ServiceFailure[] = [];
  private readonly queryOnly: boolean;

  private readonly token: string | undefined;

  constructor(queryOnly: boolean, token: string | undefined) {
    this.queryOnly = queryOnly;
    this.token = token;
  }

  answer(method: string, url: URL, body: Readonly<Record<string, unknown>>, credential: string): Reply {
    this.seen.push({ method, path: url.pathname, body });
    const at = this.failures.findIndex(({ path = '' }) => url.pathname.includes(path));
    const [failure] = at < 0 ? [] : this.failures.splice(at, 1);
    if (failure !== undefined)
      return {
        status: failure.status,
        body: failure.body ?? { error: { code: '', message: 'scripted failure' } },
        ...(failure.headers === undefined ? {} : { headers: failure.headers }),
      };
    const isToken = this.token !== undefined && credential === `Bearer ${this.token}`;
    if (credential !== this.key && !isToken) return refuse(403, 'Access denied due to invalid api-key.');
    const version = url.searchParams.get('api-version') ?? '';
    if (!versions.has(version))
      return refuse(400, `Invalid or missing api-version query string parameter '${version}'.`);
    return this.route(method, decodeURIComponent(url.pathname), body, version);
  }

  private route(method: string, path: string, body: Readonly<Record<string, unknown>>, version: string): Reply {
    const [, name = '', rest = ''] = /^\/indexes\('([^']+)'\)(.*)$/.exec(path) ?? [];
    if (rest === '') return this.definition(method, name, body);
    const index = this.indexes.get(name);
    if (index === undefined) return refuse(404, `The index '${name}' was not found.`);
    if (method === 'POST' && rest === '/docs/search.post.search') return search(index, body, version);
    if (method === 'POST' && rest === '/docs/search.index') return put(index, body);
    return refuse(404, `there is no ${method} ${path}`);
  }

  private definition(method: string, name: string, body: Readonly<Record<string, unknown>>): Reply {
    if (this.queryOnly) return refuse(403, 'This operation needs an admin key.');
    if (method === 'PUT') return this.define(name, body as unknown as WireIndex);
    const index = this.indexes.get(name);
    if (index === undefined) return refuse(404, `No index with the name '${name}' was found.`);
    return { status: 200, body: index.definition };
  }

  private define(name: string, definition: WireIndex): Reply {
    const before = this.indexes.get(name);
    const problem = wrongDefinition(definition, name) ?? changedField(before?.definition, definition);
    if (problem !== undefined) return refuse(400, problem);
    this.indexes.set(name, { definition, rows: before?.rows ?? new Map() });
    return { status: before === undefined ? 201 : 200, body: definition };
  }
}

/** Columns may be added; those there are stay as they are. */
function changedField(before: WireIndex | undefined, after: WireIndex): string | undefined {
  const changed = before?.fields.find((field) => {
    const same = after.fields.find(({ name }) => name === field.name);
    return same === undefined || same.type !== field.type || same.dimensions !== field.dimensions;
  });
  return changed === undefined ? undefined : `Existing field(s) '${changed.name}' cannot be changed or deleted.`;
}

function put({ definition, rows }: KeptIndex, body: Readonly<Record<string, unknown>>): Reply {
  const problem = wrongBatch(body, definition);
  if (problem !== undefined) return refuse(400, `The request is invalid. Details: ${problem}`);
  const keyName = definition.fields.find((field) => field.key === true)?.name ?? '';
  const results = (body['value'] as readonly Row[]).map((document) => {
    const { '@search.action': action, ...values } = document;
    const key = String(values[keyName]);
    const before = rows.get(key);
    if (action === 'delete') rows.delete(key);
    else rows.set(key, action === 'upload' ? values : { ...before, ...values });
    return {
      key,
      status: true,
      errorMessage: null,
      statusCode: before === undefined && action !== 'delete' ? 201 : 200,
    };
  });
  return { status: 200, body: { value: results } };
}

function search({ definition, rows }: KeptIndex, body: Readonly<Record<string, unknown>>, version: string): Reply {
  const problem = wrongSearch(body, definition, version);
  if (problem !== undefined) return refuse(400, problem);
  const fields = new Map(definition.fields.map(({ name, type, filterable = false }) => [name, { type, filterable }]));
  const filter = body['filter'];
  const parsed = typeof filter === 'string' ? parseOdata(filter, fields) : { matches: () => true };
  if ('problem' in parsed) return refuse(400, `${parsed.problem} Parameter name: $filter`);
  const found = rankRows([...rows.values()].filter(parsed.matches), body, definition);
  const {
    top = 50,
    skip = 0,
    select = '*',
  } = body as { readonly top?: number; readonly skip?: number; readonly select?: string };
  const names = select === '*' ? undefined : new Set(select.split(','));
  const shown = definition.fields.filter(
    ({ name, retrievable }) => retrievable !== false && (names?.has(name) ?? true),
  );
  const value = found.slice(skip, skip + top).map(({ row, score, rerankerScore }) => ({
    '@search.score': score,
    ...(rerankerScore === undefined ? {} : { '@search.rerankerScore': rerankerScore }),
    ...Object.fromEntries(shown.map(({ name }) => [name, row[name] ?? null])),
  }));
  return { status: 200, body: { value } };
}
