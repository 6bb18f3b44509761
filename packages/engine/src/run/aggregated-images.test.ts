// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { Image } from '../image/image.ts';
import type { NodeType } from '../node/node-type.ts';
import type { FetchedImage, ImageFetcher } from '../node/services.ts';
import type { NodeRun } from '../record/node-run.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../value/json.ts';
import { readyFlow } from './made-flow.fixture.ts';
import type { NodeEvent } from './run-event.ts';
import type { AggregationResult, RowResult } from './run-flow.ts';

const flowText = `
inputs:
  photo: {type: image}
  items: {type: list}
nodes:
  - {name: wrap, type: python, inputs: {photo: "\${inputs.photo}"}}
  - {name: all, type: python, aggregation: true, inputs: {photos: "\${inputs.photo}", items: "\${inputs.items}", wrapped: "\${wrap.output}"}}
`;

const gif = 'R0lGODlh';
const dot = { 'data:image/gif;base64': gif };
const given = {
  basic: dot,
  'openai-vision': { type: 'image_url', image_url: { url: `data:image/gif;base64,${gif}` } },
};

test.each(['basic', 'openai-vision'] as const)(
  'nodes over all rows of a recorded run read images (%s)',
  async (format) => {
    const rows = [
      { photo: given[format], items: [given[format], 'x'] },
      { photo: given[format], items: [] },
    ];
    const seen: JsonObject[] = [];
    const { nodes } = await runOver(format, rows, (inputs) => void seen.push(inputs));
    expect(nodes.map(({ status }) => status)).toEqual(['Completed']);
    const dotIn = { image: gif };
    expect(seen.map(shown)).toEqual([
      { photos: [dotIn, dotIn], items: [[dotIn, 'x'], []], wrapped: [{ in: [dotIn] }, { in: [dotIn] }] },
    ]);
  },
);

test('an image of an address that is gone when the rows have ended fails the nodes over all rows', async () => {
  let asked = 0;
  const fetch = async (): Promise<FetchedImage> => {
    asked += 1;
    if (asked === 1) return { ok: true, bytes: Buffer.from(gif, 'base64') };
    return { ok: false, message: 'Failed to fetch image from URL: http://a/b.', retryable: true };
  };
  const rows = [{ photo: { 'data:image/gif;url': 'http://a/b' }, items: [] }];
  const told: NodeRun[] = [];
  const tell = (event: NodeEvent): void => void (event.type === 'node-ended' && told.push(event.run));
  const { nodes } = await runOver('basic', rows, () => undefined, { fetch, tell });
  expect(nodes.map(({ status, error }) => [status, error?.code, error?.message])).toEqual([
    [
      'Failed',
      'LoadMultimediaDataError',
      "Failed to load image for input 'photo': (InvalidImageInput) Failed to fetch image from URL: http://a/b.",
    ],
  ]);
  expect(told).toEqual(nodes);
});

async function runOver(
  format: string,
  rows: readonly JsonObject[],
  see: (inputs: JsonObject) => void,
  { fetch, tell }: { fetch?: ImageFetcher['fetch']; tell?: (event: NodeEvent) => void } = {},
): Promise<AggregationResult> {
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'pure',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => ({
      parametersWithDefault: new Set(),
      run: async (inputs) => {
        if (name === 'all') see(inputs);
        return { ok: true, output: name === 'all' ? null : { in: [inputs['photo'] ?? null] } };
      },
    }),
  };
  const text = `message_format: ${format}${flowText}`;
  const options = fetch === undefined ? {} : { imageFetcher: { fetch } };
  const flow = await readyFlow(text, new Map([['python', type]]), options);
  const results: RowResult[] = [];
  for (const [line, row] of rows.entries()) results.push(readBack(await flow.runRow(row, { line })));
  return await flow.runAggregation(results, tell === undefined ? {} : { onEvent: tell });
}

/** As a record in a file has it. */
function readBack(result: RowResult): RowResult {
  return parseJson(stringifyJson(result as unknown as JsonValue)) as unknown as RowResult;
}

/** Images as their bytes. */
function shown(value: JsonValue): unknown {
  const current: unknown = value;
  if (current instanceof Image) return { image: Image.base64Of(current) };
  if (Array.isArray(current)) return current.map(shown);
  if (typeof current !== 'object' || current === null) return current;
  return Object.fromEntries(Object.entries(current).map(([key, member]) => [key, shown(member as JsonValue)]));
}
