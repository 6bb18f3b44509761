import { expect, test } from 'vitest';
import { CatalogueError } from './catalogue-file.ts';
import type { CatalogueTool } from './catalogue-tool.ts';
import { parseRetriever, stringifyRetriever } from './retriever-file.ts';
import { type TrainingProgress, trainRetriever } from './train-retriever.ts';
import { TrainedRetriever } from './trained-retriever.ts';

function tool(own: string, description: string): CatalogueTool {
  return { name: own, own, group: 'Shop', category: '', description, parameters: { type: 'object', properties: {} } };
}

const tools = [
  tool('get_order', 'The state of an order'),
  tool('cancel_order', 'Cancels an order'),
  tool('list_goods', 'All goods with their prices'),
];
const first = (retriever: TrainedRetriever, query: string): string | undefined =>
  retriever.find(query, 1)[0]?.tool.name;

test('documents are learned by heart, then what is asked for with them', () => {
  const passes: TrainingProgress[] = [];
  const byHeart = new TrainedRetriever(tools, trainRetriever(tools, []));
  expect(tools.map(({ description }) => first(byHeart, description))).toEqual(tools.map(({ name }) => name));
  expect(byHeart.find('whereabouts of my parcel', 3)[0]?.score).toBe(0);
  const queries = [
    { query: 'whereabouts of my parcel', relevant: [0] },
    { query: 'I changed my mind about the parcel', relevant: [1] },
  ];
  const both = new TrainedRetriever(
    tools,
    trainRetriever(tools, queries, { onProgress: (progress) => passes.push(progress) }),
  );
  expect(first(both, 'whereabouts of the parcel')).toBe('get_order');
  expect(first(both, 'changed my mind')).toBe('cancel_order');
  expect(passes.map(({ stage, pass, passes: all }) => `${stage} ${pass}/${all}`)).toEqual([
    ...Array.from({ length: 8 }, (_, at) => `memorise ${at + 1}/8`),
    ...Array.from({ length: 3 }, (_, at) => `retrieve ${at + 1}/3`),
  ]);
  expect(passes[7]?.loss).toBeLessThan(passes[0]?.loss ?? 0);
});

test('a tool that is kept out is learned neither from its document nor from requests', () => {
  const queries = [{ query: 'whereabouts of my parcel', relevant: [0, 1] }];
  const retriever = new TrainedRetriever(tools, trainRetriever(tools, queries, { unseen: new Set([0]) }));
  expect(first(retriever, 'The state of an order')).not.toBe('get_order');
  expect(retriever.find('whereabouts of my parcel', 3).map(({ tool: found }) => found.name)[0]).toBe('cancel_order');
  expect(
    retriever.find('whereabouts of my parcel', 3).find(({ tool: found }) => found.name === 'get_order')?.score,
  ).toBeLessThan(0);
});

test('a step lowers the loss along the gradient of the softmax', () => {
  const losses: number[] = [];
  trainRetriever(tools.slice(0, 2), [], { memorise: 1, onProgress: ({ loss }) => losses.push(loss) });
  // The first example has both tools alike, log 2; the second has learned something of the words both share.
  expect(losses[0]).toBeGreaterThan(Math.log(2) / 2);
});

test('the same training gives the same file, and the file the same answers', () => {
  const model = trainRetriever(tools, []);
  const bytes = stringifyRetriever(model, tools);
  expect(Buffer.compare(Buffer.from(bytes), Buffer.from(stringifyRetriever(trainRetriever(tools, []), tools)))).toBe(0);
  const read = new TrainedRetriever(tools, parseRetriever('x.model', bytes, tools));
  expect(read.find('prices of goods', 3).map(({ tool: { name } }) => name)[0]).toBe('list_goods');
  expect(read.find('', 3)).toEqual([]);
});

test.for([
  [
    'no retriever',
    () => new TextEncoder().encode('{"a": 1}\n'),
    'x.model is no trained retriever; make one: flow tools train <catalogue> --out x.model',
  ],
  ['cut off', (bytes: Uint8Array) => bytes.slice(0, -1), 'x.model is cut off'],
  [
    'another format',
    () => new TextEncoder().encode('{"unroll_tool_retriever":2,"tools":3,"buckets":32768,"catalogue":"00"}\n'),
    'x.model has format 2, this version reads 1',
  ],
] as const)('refused: %s', ([, broken, message]) => {
  const bytes = stringifyRetriever(trainRetriever(tools, [], { memorise: 1 }), tools);
  expect(() => parseRetriever('x.model', broken(bytes), tools)).toThrow(message);
});

test('a retriever of other tools is refused', () => {
  const bytes = stringifyRetriever(trainRetriever(tools, [], { memorise: 1 }), tools);
  expect(() => parseRetriever('x.model', bytes, tools.toReversed())).toThrow(CatalogueError);
});

test('more tools than the memory allows for are refused', () => {
  const many = Array.from({ length: 32_769 }, (_, at) => tool(`t${at}`, ''));
  expect(() => trainRetriever(many, [])).toThrow('at most 32768 tools can be trained on, not 32769');
});
