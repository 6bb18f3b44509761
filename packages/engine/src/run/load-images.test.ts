import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Image, imagesIn, imageValue } from '../image/image.ts';
import type { MessageFormat } from '../image/image-forms.ts';
import type { Plan } from '../plan/plan.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../value/json.ts';
import { type ImageSources, loadImages, mayHoldImages } from './load-images.ts';
import { persistImages } from './persist-images.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-images-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'dot.gif'), 'GIF89a');
mkdirSync(join(folder, 'folder.gif'));

const sources = (format: MessageFormat = 'basic', inTexts = false): ImageSources => ({
  folder,
  format,
  inTexts,
  fetcher: {
    fetch: async (url) =>
      url.endsWith('.gif')
        ? { ok: true, bytes: new TextEncoder().encode('GIF89a') }
        : { ok: false, message: `no image at ${url}`, retryable: true, service: { host: 'h:443' } },
  },
});
const image = { 'data:image/gif;base64': 'R0lGODlh' };
const vision = { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlh' } };
const written = { 'data:image/gif;path': 'dot.gif' };
const ofVision = { type: 'image_file', image_file: { path: 'dot.gif' } };

async function loaded(type: string, value: JsonValue, from: ImageSources = sources()): Promise<unknown> {
  const read = await loadImages([{ name: 'p', type }], { p: value, other: 1 }, from);
  return read.ok ? JSON.parse(stringifyJson(read.inputs)) : read.error;
}

test.for<[what: string, type: string, value: JsonValue, loaded: JsonValue]>([
  ['a path in an input for images', 'image', 'dot.gif', image],
  ['a mapping in an input for images', 'image', written, image],
  ['a list of them', 'image', ['dot.gif', written], [image, image]],
  ['a mapping deep in a list', 'list', [1, { a: [written] }, 'dot.gif'], [1, { a: [image] }, 'dot.gif']],
  ['a mapping deep in an object', 'object', { a: { b: written }, c: null }, { a: { b: image }, c: null }],
  ['a text is a text', 'string', 'dot.gif', 'dot.gif'],
  ['a mapping in an input of another type', 'string', written as unknown as JsonValue, written],
  ['nothing in an object', 'object', null, null],
  ['of the other format', 'object', { a: ofVision }, { a: ofVision }],
])('basic: %s', async ([, type, value, expected]) => {
  expect(await loaded(type, value)).toEqual({ p: expected, other: 1 });
});

test.for<[what: string, value: JsonValue, read: boolean, loaded: JsonValue]>([
  ['a file', { a: ofVision }, true, { a: image }],
  ['an address', { a: vision }, true, { a: image }],
  ['a text', [{ type: 'text', text: 'hello' }], true, ['hello']],
  ['of the other format', { a: written }, false, { a: written }],
])('openai-vision: %s', async ([, value, , expected]) => {
  expect(await loaded('object', value, sources('openai-vision'))).toMatchObject({ p: expected });
});

execFileSync('mkfifo', [join(folder, 'pipe.gif')]);
writeFileSync(join(folder, 'huge.gif'), '');
truncateSync(join(folder, 'huge.gif'), 20 * 2 ** 20 + 1);

test.for([
  ['pipe.gif', "'pipe.gif' is no file"],
  ['/dev/zero', "'/dev/zero' is no file"],
  ['huge.gif', "'huge.gif' is an image of more than 20 MB"],
] as const)('%s is not waited for and not read without end', async ([path, why]) => {
  const error = { code: 'LoadMultimediaDataError', retryable: false };
  expect(await loaded('image', path)).toMatchObject(error);
  expect(await loaded('image', path)).toHaveProperty('message', expect.stringContaining(why));
});

test('a text that is an image counts where texts may be images', async () => {
  const text = 'data:image/gif;path: dot.gif';
  expect(await loaded('string', text)).toMatchObject({ p: text });
  expect(await loaded('image', text, sources('basic', true))).toMatchObject({ p: image });
  expect(await loaded('object', text, sources('basic', true))).toMatchObject({ p: image });
  expect(await loaded('string', 'plain', sources('basic', true))).toMatchObject({ p: 'plain' });
});

const fetched = 'https://example.org/x.png';

test.for<[what: string, value: JsonValue, error: string]>([
  ['is not there', 'gone.gif', "(FileNotFoundError) [Errno 2] No such file or directory: 'gone.gif'"],
  ['is a folder', 'folder.gif', "(IsADirectoryError) [Errno 21] Is a directory: 'folder.gif'"],
  ['cannot be opened', 'dot.gif/x.gif', '(OSError) ENOTDIR'],
  [
    'has a path that is none',
    { 'data:image/gif;path': null },
    '(TypeError) expected str, bytes or os.PathLike object, not NoneType',
  ],
  ['cannot be fetched', fetched, '(InvalidImageInput) no image at https://example.org/x.png'],
])('an image that %s', async ([, value, message]) => {
  const error = (await loaded('image', value)) as { readonly message: string };
  expect(error).toMatchObject({
    ...{
      code: 'LoadMultimediaDataError',
      retryable: value === fetched,
    },
  });
  expect(error.message).toContain(`Failed to load image for input 'p': ${message}`);
  expect(await loaded('list', [1, { 'data:image/gif;path': 'gone.gif' }])).toMatchObject({ retryable: false });
});

test('without anybody to fetch them, addresses are refused; with one, the address stays known', async () => {
  const url = 'https://example.org/x.gif';
  expect(await loaded('image', url, { ...sources(), fetcher: undefined })).toMatchObject({
    message: `Failed to load image for input 'p': (InvalidImageInput) Failed to fetch image from URL: ${url}.`,
  });
  const read = await loadImages([{ name: 'p', type: 'image' }], { p: url }, sources());
  expect(read.ok && imagesIn(read.inputs).map((one) => Image.sourceUrlOf(one))).toEqual([url]);
});

test.for<[inputs: readonly string[], readsTexts: boolean | undefined, may: boolean]>([
  [['string'], undefined, false],
  [['string'], true, true],
  [['string', 'image'], undefined, true],
  [['list'], undefined, true],
  [['object'], undefined, true],
  [[], undefined, false],
])('inputs of types %j may hold images (texts: %j): %j', ([types, readsImageTexts, may]) => {
  const inputs = types.map((type) => ({ name: 'p', type }));
  expect(
    mayHoldImages({ inputs, ...(readsImageTexts === undefined ? {} : { readsImageTexts }) } as unknown as Plan),
  ).toBe(may);
});

test.for<[format: MessageFormat, file: RegExp, address: JsonObject]>([
  ['basic', /^{"data:image\/gif;path":"out\/([-0-9a-f]{36}\.gif)"}$/, { 'data:image/gif;url': 'https://x/y' }],
  [
    'openai-vision',
    /^{"type":"image_file","image_file":{"path":"out\/([-0-9a-f]{36}\.gif)"}}$/,
    { type: 'image_url', image_url: { url: 'https://x/y' } },
  ],
])('written in the format %s: images are files beside it, or stay addresses', ([format, file, address]) => {
  const bytes = new TextEncoder().encode('GIF89a');
  const below = 'out';
  const own = join(folder, format);
  const value = [
    imageValue(new Image(bytes, 'image/gif')),
    'text',
    imageValue(new Image(bytes, 'image/gif', 'https://x/y')),
  ];
  const [stored, text, atAddress] = persistImages(value, { folder: own, below, format }) as readonly JsonValue[];
  const [, name = ''] = file.exec(stringifyJson(stored ?? null).replaceAll(' ', '')) ?? [];
  expect([text, atAddress]).toEqual(['text', address]);
  expect(readdirSync(join(own, below))).toEqual([name]);
  expect(readFileSync(join(own, below, name), 'latin1')).toBe('GIF89a');
  const plain = { a: 1 };
  expect(persistImages(plain, { folder: own, below: 'none', format })).toBe(plain);
  const unknown = persistImages([imageValue(new Image(bytes, 'image/*'))], { folder: own, below, format });
  expect(JSON.stringify(unknown)).toMatch(/out\/[-0-9a-f]{36}"/);
});

test.for<[written: string, why: string | undefined]>([
  ['dot.gif', undefined],
  ['words.txt', "'words.txt' is no image"],
  ['../elsewhere.gif', "'../elsewhere.gif' is not in the folder of the flow"],
  ['/etc/hostname', "'/etc/hostname' is not in the folder of the flow"],
  ['link.gif', "'link.gif' is not in the folder of the flow"],
  ['none.gif', "[Errno 2] No such file or directory: 'none.gif'"],
])('a path that a stranger wrote leads to an image in the folder of the flow only: %s', async ([path, why]) => {
  writeFileSync(join(folder, 'words.txt'), 'no picture');
  const outside = mkdtempSync(join(tmpdir(), 'unroll-outside-'));
  writeFileSync(join(outside, 'dot.gif'), 'GIF89a');
  rmSync(join(folder, 'link.gif'), { force: true });
  symlinkSync(join(outside, 'dot.gif'), join(folder, 'link.gif'));
  const read = await loaded('image', { 'data:image/gif;path': path }, { ...sources(), isGuarded: true });
  rmSync(outside, { recursive: true });
  if (why === undefined) expect(read).toMatchObject({ p: image });
  else expect(read).toMatchObject({ code: 'LoadMultimediaDataError', message: expect.stringContaining(why) });
});
