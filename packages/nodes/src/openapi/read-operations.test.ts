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
