import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readActionResponse } from './lambda-response.ts';

function read(more: JsonObject): JsonValue {
  const functionResponse = { responseBody: { TEXT: { body: 'done' } } };
  const response = { actionGroup: 'g', function: 'f', functionResponse };
  const call = { actionGroup: 'g', function: 'f' };
  return readActionResponse({ messageVersion: '1.0', response, ...more }, call) as unknown as JsonValue;
}

const done = { type: 'ACTION_GROUP', text: 'done', scratchpad: 'function_result' };
const bad = (message: string): JsonObject => ({ type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message });

test.for<readonly [what: string, more: JsonObject, outcome: JsonObject]>([
  ['nothing', {}, done],
  ['null, as programs write what they do not set', { sessionAttributes: null, promptSessionAttributes: null }, done],
  ['no configuration', { knowledgeBasesConfiguration: null }, done],
  ['attributes', { sessionAttributes: { a: '1' } }, { ...done, sessionAttributes: { a: '1' } }],
  ['no attributes any more', { sessionAttributes: {} }, { ...done, sessionAttributes: {} }],
  ['a text', { sessionAttributes: '{}' }, bad('sessionAttributes must be an object, as the event has it')],
  ['a list', { promptSessionAttributes: [] }, bad('promptSessionAttributes must be an object, as the event has it')],
])('beside its answer a function gives %s', ([, more, outcome]) => {
  expect(read(more)).toEqual(outcome);
});
