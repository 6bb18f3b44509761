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
  expect(read?.arguments).toEqual([{ name: 'id', place: 'query', isRequired: false, schema: { type: 'string' } }]);
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
  const refs = ['#/%zz', '#/components/none'];
  const parameters = refs.map(($ref, at) => ({ name: `p${at}`, in: 'query', schema: { $ref } }));
  const [read] = readOperations({ openapi: '3.0.0', paths: { '/a': { get: { operationId: 'find', parameters } } } });
  expect(read?.arguments.map(({ schema }) => schema)).toEqual(refs.map(($ref) => ({ $ref })));
});
