import { expect, test } from 'vitest';
import { keyPlaceOf } from './key-place.ts';

const schemes = {
  head: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  query: { type: 'apiKey', in: 'query', name: 'appid' },
  bearer: { type: 'http', scheme: 'bearer' },
  linked: { $ref: '#/components/securitySchemes/head' },
  broken: { type: 'apiKey', in: 'body', name: 'k' },
};
const document = (security: unknown) => ({ components: { securitySchemes: schemes }, security }) as never;
const head = { in: 'header', name: 'X-API-Key' };

test.for<readonly [what: string, operation: object, security: unknown, place: object | undefined]>([
  ['the one of the document', {}, [{ head: [] }], head],
  ['the one of the operation', { security: [{ query: [] }] }, [{ head: [] }], { in: 'query', name: 'appid' }],
  ['none, as the operation says', { security: [] }, [{ head: [] }], undefined],
  ['one that may be left out', {}, [{}, { linked: [] }], head],
  ['the first of two', {}, [{ bearer: [] }, { head: [] }], undefined],
  ['one alone before two at once', {}, [{ head: [], query: [] }, { head: [] }], head],
  ['one that is not there', {}, [{ gone: [] }], undefined],
  ['one of no such place', {}, [{ broken: [] }], undefined],
  ['no way', {}, undefined, undefined],
])('where the key goes: %s', ([, operation, security, place]) => {
  expect(keyPlaceOf(operation as never, document(security))).toEqual(place);
});

test('where the key goes in a document of Swagger 2.0', () => {
  const written = { securityDefinitions: { query: schemes.query }, security: [{ query: [] }] };
  expect(keyPlaceOf({}, written)).toEqual({ in: 'query', name: 'appid' });
});
