import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { passedOver } from './passed-over.ts';

function told(document: JsonObject): readonly string[] {
  return passedOver(document).map(({ operationId = '-', path, message, help }) =>
    [operationId, path.join('.'), message, help ?? '-'].join(' | '),
  );
}

function operation(members: JsonObject): JsonObject {
  return { paths: { '/a': { get: { operationId: 'getA', ...members } } } };
}

const query = { name: 'ids', in: 'query', schema: { type: 'array' } };

test.for<[string, JsonObject, readonly string[]]>([
  ['nothing, where all words are known', operation({ parameters: [{ ...query, style: 'pipeDelimited' }] }), []],
  ['extensions', operation({ 'x-parametrs': [], parametersOf: {} }), []],
  [
    'a style',
    operation({ parameters: [{ ...query, style: 'pipeDelimted' }] }),
    ['getA | paths./a.get.parameters.0.style | OpenAPI has no style "pipeDelimted" | did you mean "pipeDelimited"?'],
  ],
  [
    'a way of writing lists in Swagger',
    operation({ parameters: [{ name: 'ids', in: 'query', type: 'array', collectionFormat: 'lines' }] }),
    [
      'getA | paths./a.get.parameters.0.collectionFormat | Swagger has no collectionFormat "lines" | there are csv, ssv, tsv, pipes, multi',
    ],
  ],
  [
    'a place, one that is not there, and a parameter without a name',
    operation({ parameters: [{ ...query, in: 'qery' }, { name: 'b' }, { in: 'query' }] }),
    [
      'getA | paths./a.get.parameters.0.in | the parameter "ids" is in "qery", where OpenAPI has none: a model is told nothing of it | did you mean "query"?',
      'getA | paths./a.get.parameters.1.in | the parameter "b" is in null, where OpenAPI has none: a model is told nothing of it | there are path, query, header, cookie, body, formData',
      'getA | paths./a.get.parameters.2 | a parameter of the OpenAPI document has no name: a model is told nothing of it | -',
    ],
  ],
  [
    'keys',
    { paths: { '/a': { parametrs: [], gett: {}, get: { operationId: 'getA', requestBdy: {} } } } },
    [
      '- | paths./a.parametrs | "parametrs" is no key of OpenAPI in this place: what stands there is passed over | did you mean "parameters"?',
      'getA | paths./a.get.requestBdy | "requestBdy" is no key of OpenAPI in this place: what stands there is passed over | did you mean "requestBody"?',
    ],
  ],
  [
    'security schemes that are not there, and some that do not say what a key needs',
    {
      security: [{ keyy: [] }],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header' },
          other: { type: 'apikey', in: 'header', name: 'X-Key' },
        },
      },
      ...operation({ security: [{}, { key: [], token: [] }] }),
    },
    [
      '- | components.securitySchemes.key | the security scheme "key" does not say where its key goes: it would go into Authorization | write `in` (header, query or cookie) and `name`',
      '- | components.securitySchemes.other.type | the security scheme "other" is of no type of OpenAPI: a key would go into Authorization | did you mean "apiKey"?',
      '- | security.0.keyy | there is no security scheme "keyy" in the OpenAPI document: a key would go into Authorization | did you mean "key"?',
      'getA | paths./a.get.security.1.token | there is no security scheme "token" in the OpenAPI document: a key would go into Authorization | there are key, other',
    ],
  ],
])('tells %s', ([, document, expected]) => {
  expect(told(document)).toEqual(expected);
});

test('a parameter that two operations refer to is told once, where it stands', () => {
  const parameters = [{ $ref: '#/components/parameters/Ids' }];
  const document = {
    components: { parameters: { Ids: { ...query, style: 'commas' } } },
    paths: { '/a': { get: { operationId: 'getA', parameters }, put: { operationId: 'putA', parameters } } },
  };
  expect(passedOver(document).map(({ path }) => path.join('.'))).toEqual(['components.parameters.Ids.style']);
});

test('what a reference names has its place where that is, whatever signs stand in it', () => {
  const wrong = { ...query, in: 'qery' };
  const item = { get: { operationId: 'getA', parameters: [{ $ref: '#/paths/~1b~1%7Bc%7D/parameters/0' }] } };
  const document = {
    components: { 'path items': { A: { ...item, parametrs: [] } } },
    paths: { '/a': { $ref: '#/components/path%20items/A' }, '/b/{c}': { parameters: [wrong] } },
  };
  expect(passedOver(document).map(({ path }) => path)).toEqual([
    ['components', 'path items', 'A', 'parametrs'],
    ['paths', '/b/{c}', 'parameters', 0, 'in'],
  ]);
});
