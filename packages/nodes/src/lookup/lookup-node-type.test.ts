import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type FlowFiles,
  type JsonObject,
  type NodeDefinition,
  type PrepareContext,
  Redactor,
  rowAlone,
} from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../llm/concurrency-limiter.ts';
import { lookupNodeType } from './lookup-node-type.ts';

const texts: Readonly<Record<string, string>> = {
  'knowledge/faq.jsonl': '{"id": "a", "question": "Q", "answer": "apple", "articles": [1], "note": "n"}\n',
  'knowledge/bad.jsonl': '{oops\n',
};
const empty = mkdtempSync(join(tmpdir(), 'unroll-lookup-'));
afterAll(() => rmSync(empty, { recursive: true }));

const files: FlowFiles = {
  folder: '/flow',
  read: (path) => (texts[path] === undefined ? undefined : { path, text: texts[path] }),
  resolve: (path) => (path === 'empty' ? empty : path.startsWith('..') ? undefined : `/flow/${path}`),
  list: () => Object.keys(texts),
};
const nodeOf = (settings: JsonObject): NodeDefinition => {
  return { name: 'find', type: 'lookup', inputs: {}, aggregation: false, settings, locate: () => undefined };
};
const services = { openService: async () => undefined, clock: systemClock };
const inspect = (settings: JsonObject) => lookupNodeType(services).inspect(nodeOf(settings), files);

test('an index that is there is part of the fingerprint and makes no diagnostic', () => {
  expect(inspect({ index: 'knowledge/faq.jsonl', top_k: 2 })).toEqual({
    diagnostics: [],
    parameters: [
      { name: 'query', required: true, type: 'string' },
      { name: 'filter', required: false, type: 'object' },
    ],
    takesAnyInput: false,
    toleratedInputs: 'unknown',
    takesEmptyText: true,
    outputType: 'list',
    files: ['knowledge/faq.jsonl'],
    connectionDoubts: expect.any(Function),
    missingPackages: expect.any(Function),
  });
});

test.for([
  {
    settings: {},
    told: [
      'FLOW_WRONG_VALUE index: expected the path of an .index file, of a .jsonl, .json or .md file, or of a folder of these',
    ],
  },
  {
    settings: { index: 'knowledge/faq.jsonl', top_k: 0, minimum_score: 'high', fields: 'note' },
    told: [
      'FLOW_WRONG_VALUE top_k: expected a whole number above 0',
      'FLOW_WRONG_VALUE minimum_score: expected a number',
      'FLOW_WRONG_VALUE fields: expected a list of field names',
    ],
  },
  {
    settings: { index: 'knowledge/fag.jsonl' },
    told: [
      'FILE_MISSING there is no file or folder "knowledge/fag.jsonl" for node "find"; did you mean "knowledge/faq.jsonl"?',
    ],
  },
  {
    settings: {
      index: 'x',
      mode: 'words',
      fusion: { method: 'rrf', k: 0 },
      filter: { n: { gte: 1 } },
      embedder: 'mine',
    },
    told: [
      'FLOW_WRONG_VALUE mode: expected keyword, vector or hybrid',
      'FLOW_WRONG_VALUE embedder: expected {connection: name, model: name}',
      'FLOW_WRONG_VALUE filter: n: there is no condition "gte" (eq, ne, ge, gt, le, lt, in, exists); did you mean "ge"?',
      'FLOW_WRONG_VALUE fusion: k: expected a number above 0',
      'FILE_MISSING there is no file or folder "x" for node "find"',
    ],
  },
  {
    settings: { index: 'x', top_k: 'three', mode: 'vector' },
    told: [
      'FLOW_WRONG_VALUE top_k: expected a whole number above 0',
      'FILE_MISSING there is no file or folder "x" for node "find"',
      'FLOW_WRONG_VALUE "x" holds no vectors to search by; write mode: keyword, or name an index made by flow index build with --embedder',
    ],
  },
  ...[[3], true, '1.5'].map((count) => ({
    settings: { index: 'knowledge/faq.jsonl', top_k: count },
    told: ['FLOW_WRONG_VALUE top_k: expected a whole number above 0'],
  })),
  { settings: { index: 'knowledge/faq.jsonl', top_k: '3' }, told: [] },
  {
    settings: { index: 'empty' },
    told: [
      'FILE_MISSING "empty" holds nothing that node "find" can search; a lookup searches .jsonl, .json and .md files; flow index build reads PDF, Word and others',
    ],
  },
  {
    settings: { index: 'knowledge/law.index' },
    told: [
      'FILE_MISSING there is no file or folder "knowledge/law.index" for node "find"; flow index build <folder> --out knowledge/law.index makes one',
    ],
  },
  {
    settings: { index: '../x.md' },
    told: [
      'FILE_OUTSIDE "../x.md" leads out of the folder of the flow; move the file into the folder, or list it under "additional_includes"',
    ],
  },
  { settings: { index: 'knowledge' }, told: ['LOOKUP_BAD_DOCUMENT line 1 is no JSON'] },
])('$settings', ({ settings, told }) => {
  const found = inspect(settings as JsonObject).diagnostics.map(
    ({ code, message, help }) =>
      `${code} ${message.replace(/JSON: .*/u, 'JSON')}${help === undefined ? '' : `; ${help}`}`,
  );
  expect(found).toEqual(told);
});

test('a run gives the hits with the wanted fields', async () => {
  const folder = fileURLToPath(new URL('testing-documents', import.meta.url));
  const context = { files: { ...files, resolve: () => folder }, redactor: new Redactor() } as unknown as PrepareContext;
  const prepared = await lookupNodeType(services).prepare(
    nodeOf({ index: 'x', fields: ['articles'], top_k: 1 }),
    context,
  );
  const call = {
    runId: 'r',
    line: 0,
    node: 'find',
    signal: new AbortController().signal,
    flowInputs: {},
    row: rowAlone(),
  };
  expect(await prepared.run({ query: 'apple' }, call)).toEqual({
    ok: true,
    output: [{ id: 'a', title: 'Q', text: 'apple', score: expect.any(Number), articles: [1] }],
  });
  expect(await prepared.run({ query: null }, call)).toEqual({
    ok: false,
    error: { code: 'LookupError', message: 'the input "query" of a lookup node is a text', retryable: false },
  });
});
