import { expect, test } from 'vitest';
import { acceptedTypes, acceptsJson, wantsEventStream } from './accept.ts';

test.for<[header: string | undefined, types: readonly string[]]>([
  [undefined, []],
  ['', []],
  ['text/html, application/json;q=0.5 ,*/*', ['text/html', 'application/json', '*/*']],
  ['text/event-stream;q=0', ['text/event-stream']],
  ['application/json; charset=utf-8; q=1', ['application/json; charset=utf-8']],
  ['text/html;q=2, application/json;q=x', []],
  [',, ;q=1', []],
])('Accept: %s', ([header, types]) => {
  expect(acceptedTypes(header)).toEqual(types);
});

test.for<[types: readonly string[], json: boolean, stream: boolean]>([
  [[], true, false],
  [['application/*'], true, false],
  [['text/*'], false, false],
  [['text/event-stream'], false, true],
  [['Application/JSON'], false, false],
])('%j', ([types, json, stream]) => {
  expect([acceptsJson(types), wantsEventStream(types)]).toEqual([json, stream]);
});
