import { expect, test } from 'vitest';
import { readOperations } from './read-operations.ts';

test('operations come in the order they are written, those of one path too', () => {
  const responses = { 200: { description: 'ok' } };
  const paths = {
    '/b': {
      parameters: [],
      delete: { operationId: 'remove', responses },
      summary: 'about it',
      get: { operationId: 'read', responses },
    },
    '/a': { post: { operationId: 'make', responses } },
  };
  const read = readOperations({ openapi: '3.0.0', info: { title: 't', version: '1' }, paths });
  expect(read.map(({ verb, operationId }) => `${verb} ${operationId}`)).toEqual([
    'DELETE remove',
    'GET read',
    'POST make',
  ]);
});

test('schemas that each name two others come to an end, and what an operation takes is read before them', () => {
  const next = (level: number) => ({ $ref: `#/components/schemas/s${level + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `s${level}`,
      { type: 'object', properties: { a: next(level), b: next(level) } },
    ]),
  );
  const get = {
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } } } },
    operationId: 'find',
    parameters: [{ $ref: '#/components/parameters/p' }],
  };
  const parameters = { p: { name: 'id', in: 'query', schema: { type: 'string' } } };
  const [read] = readOperations({ openapi: '3.0.0', paths: { '/a': { get } }, components: { schemas, parameters } });
  expect(read?.arguments).toEqual([{ name: 'id', places: ['query'], isRequired: false, schema: { type: 'string' } }]);
  expect(read?.responses).toEqual([{ status: '200', description: '', type: 'object' }]);
  expect(read?.isCut).toBe(false);
});

test('an operation whose arguments are larger than what is read says so', () => {
  const next = (level: number) => ({ $ref: `#/components/schemas/s${level + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 20 }, (_, level) => [`s${level}`, { properties: { a: next(level), b: next(level) } }]),
  );
  const operation = (from: number, operationId: string) => ({
    operationId,
    requestBody: { content: { 'application/json': { schema: { properties: { a: next(from) } } } } },
  });
  const path = { post: operation(6, 'small'), put: operation(0, 'large') };
  const read = readOperations({ openapi: '3.0.0', paths: { '/a': path }, components: { schemas } });
  expect(read.map(({ operationId, isCut }) => [operationId, isCut])).toEqual([
    ['small', false],
    ['large', true],
  ]);
});

test('a reference that names nothing, or is none, stays as it is written', () => {
  const refs = ['#/%zz', '#/components/none', '#/constructor', '#/paths/toString/name', '#/openapi/length'];
  const parameters = refs.map(($ref, at) => ({ name: `p${at}`, in: 'query', schema: { $ref } }));
  const [read] = readOperations({ openapi: '3.0.0', paths: { '/a': { get: { operationId: 'find', parameters } } } });
  expect(read?.arguments.map(({ schema }) => schema)).toEqual(refs.map(($ref) => ({ $ref })));
});

test('a reference leads into a list by its number', () => {
  const get = { operationId: 'find', parameters: [{ name: 'id', in: 'query', schema: { type: 'integer' } }] };
  const put = { operationId: 'change', parameters: [{ $ref: '#/paths/~1a/get/parameters/0' }] };
  const [, read] = readOperations({ openapi: '3.0.0', paths: { '/a': { get, put } } });
  expect(read?.arguments).toMatchObject([{ name: 'id', schema: { type: 'integer' } }]);
});

test('one name in two places is one argument, of both; what an operation says of a place stands for what its path says', () => {
  const schema = { type: 'string' };
  const put = {
    operationId: 'change',
    parameters: [{ name: 'all', in: 'query', required: false, schema: { type: 'boolean' } }],
    requestBody: { content: { 'application/json': { schema: { properties: { id: schema, all: schema } } } } },
  };
  const parameters = [
    { name: 'id', in: 'path', schema: { type: 'integer' } },
    { name: 'all', in: 'query', required: true, schema },
  ];
  const [read] = readOperations({ openapi: '3.0.0', paths: { '/a/{id}': { parameters, put } } });
  expect(read?.arguments).toEqual([
    { name: 'id', places: ['path', 'body'], isRequired: true, schema },
    { name: 'all', places: ['query', 'body'], isRequired: false, schema },
  ]);
});

test.for<readonly [string, object, string | undefined]>([
  [
    'https://{host}:{port}/{v}',
    { host: { default: 'a.example' }, port: { default: 8443 }, v: { default: 'v2' } },
    'https://a.example:8443/v2',
  ],
  ['https://{host}/v1', { hots: { default: 'a.example' } }, undefined],
  ['https://{constructor}/v1', {}, undefined],
])('variables in the address of a server have their defaults: %s', ([url, variables, address]) => {
  const servers = [{ url, variables }] as never;
  const [read] = readOperations({ openapi: '3.0.0', servers, paths: { '/a': { get: { operationId: 'find' } } } });
  expect(read?.server).toBe(address);
});

test('schemas that each name the next are read to a bound, and the operation says so', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, level) => [
      `s${level}`,
      { properties: { next: { $ref: `#/components/schemas/s${level + 1}` } } },
    ]),
  );
  const parameters = [{ name: 'a', in: 'query', schema: { $ref: '#/components/schemas/s0' } }];
  const paths = { '/a': { get: { operationId: 'find', parameters } } };
  const [read] = readOperations({ openapi: '3.0.0', paths, components: { schemas } });
  expect(read?.isCut).toBe(true);
});
