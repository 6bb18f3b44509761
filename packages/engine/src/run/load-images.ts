import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FlowInputSpec } from '../flow/flow-spec.ts';
import { Image, imageValue, sniffImage } from '../image/image.ts';
import {
  type ImageError,
  type ImageForm,
  isImageMapping,
  type MessageFormat,
  type ReadForm,
  readImage,
  readImageMapping,
  textOfMapping,
} from '../image/image-forms.ts';
import type { NodeError } from '../node/node-error.ts';
import type { FetchedImage, ImageFetcher } from '../node/services.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import type { Coerced } from './coerce-inputs.ts';

export interface ImageSources {
  /** Folder that paths are relative to, absolute. */
  readonly folder: string;
  readonly format: MessageFormat;
  readonly fetcher: ImageFetcher | undefined;
  /** Whether a text `data:image/png;path:NAME` is an image in any input, as in prompties. */
  readonly inTexts: boolean;
  /** Whether strangers write the paths: files outside the folder, and those that are no images, are refused. */
  readonly isGuarded?: boolean;
}

/** An input by its name; `toldAs` is the name the author knows its value by. */
type NamedInput = Pick<FlowInputSpec, 'name' | 'type'> & { readonly toldAs?: string };

/** Whether inputs of the flow may hold images. */
export function mayHoldImages({ inputs, readsImageTexts = false }: Plan): boolean {
  return readsImageTexts || inputs.some(({ type }) => type === 'image' || type === 'list' || type === 'object');
}

/**
 * The inputs of a row with images where they were written: in inputs of type `image` in any form, in those of type `list`
 * and `object` at any depth as mappings.
 */
export async function loadImages(
  declared: readonly NamedInput[],
  inputs: JsonObject,
  sources: ImageSources,
): Promise<Coerced> {
  const loaded: Record<string, JsonValue> = { ...inputs };
  for (const { name, type, toldAs = name } of declared) {
    const given = inputs[name] ?? null;
    const value = sources.inTexts ? mappingOfText(given) : given;
    const isSought = value !== given || imageTypes.has(type);
    if (!isSought || !isLoaded(type, value, sources)) continue;
    const read = type === 'image' ? await readImageInput(value, sources) : await readNested(value, sources);
    if (!read.ok) return { ok: false, error: loadError(toldAs, read.error) };
    loaded[name] = read.value;
  }
  return { ok: true, inputs: loaded };
}

function isLoaded(type: string, value: JsonValue, { format }: ImageSources): boolean {
  return type === 'image' || holdsMapping(value, format);
}

const imageTypes: ReadonlySet<string> = new Set(['image', 'list', 'object']);
const imageText = /^(data:image\/[^;]+;(?:path|base64|url)):\s*([^\n]*)\n?$/;

/** `data:image/png;path:NAME` as the mapping of the same form; one that goes on with a second line is a text. */
function mappingOfText(value: JsonValue): JsonValue {
  const [, key, content = ''] = typeof value === 'string' ? (imageText.exec(value) ?? []) : [];
  return key === undefined ? value : { [key]: content };
}

/** A quick look, so that rows without images cost no promises. */
function holdsMapping(value: JsonValue, format: MessageFormat): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some((item) => holdsMapping(item, format));
  if (isImageMapping(value, format) || (format === 'openai-vision' && textOfMapping(value) !== undefined)) return true;
  return Object.values(value).some((member) => holdsMapping(member as JsonValue, format));
}

/** The images of a literal input of a node, as `loadImages` finds them in inputs of type `list` and `object`. */
export function loadNestedImages(value: JsonValue, sources: ImageSources): Promise<LoadedValue> {
  return readNested(value, sources);
}

/**
 * The inputs of a node that runs alone, by its own names: as `loadImages` reads them where they stand for inputs of the
 * flow, and at any depth in outputs of nodes that are given.
 */
export async function loadNodeImages(
  { inputs: bound }: PlanNode,
  { inputs: declared }: Plan,
  given: JsonObject,
  sources: ImageSources,
): Promise<Coerced> {
  const typed = bound.map(({ name, binding }): NamedInput => {
    const input = binding.kind === 'flow-input' ? declared.find((one) => one.name === binding.input) : undefined;
    return { name, type: input?.type ?? 'object', ...(input === undefined ? {} : { toldAs: input.name }) };
  });
  return await loadImages(
    typed.filter(({ name }) => Object.hasOwn(given, name)),
    given,
    sources,
  );
}

/** One image in any form it may be written in. */
export function loadImage(value: JsonValue, sources: ImageSources): Promise<LoadedValue> {
  return load(readImage(value, sources.format), sources);
}

export type LoadedValue =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: ImageLoadError };

/** Why there is no image; of one that was fetched, who was asked, and whether it may be had later. */
export type ImageLoadError = ImageError & Partial<Pick<NodeError, 'retryable' | 'service'>>;

function loadError(name: string, { code, message, retryable = false, service }: ImageLoadError): NodeError {
  return {
    code: 'LoadMultimediaDataError',
    message: `Failed to load image for input '${name}': (${code}) ${message}`,
    retryable,
    ...(service === undefined ? {} : { service }),
  };
}

/** A list where the input of an aggregation node gathers those of its rows. */
function readImageInput(value: JsonValue, sources: ImageSources): Promise<LoadedValue> {
  return Array.isArray(value) ? readItems(value, (item) => loadImage(item, sources)) : loadImage(value, sources);
}

async function readNested(value: JsonValue, sources: ImageSources): Promise<LoadedValue> {
  if (typeof value !== 'object' || value === null) return { ok: true, value };
  if (Array.isArray(value)) return readItems(value, (item) => readNested(item, sources));
  if (isImageMapping(value, sources.format)) return load(readImageMapping(value, sources.format), sources);
  const text = sources.format === 'openai-vision' ? textOfMapping(value) : undefined;
  if (text !== undefined) return { ok: true, value: text };
  if (!isPlainObject(value)) return { ok: true, value };
  const members = Object.entries(value as unknown as JsonObject);
  const read = await readItems(
    members.map(([, member]) => member),
    (member) => readNested(member, sources),
  );
  if (!read.ok) return read;
  const values = read.value as readonly JsonValue[];
  return { ok: true, value: Object.fromEntries(members.map(([key], at) => [key, values[at] ?? null])) };
}

async function readItems(
  items: readonly JsonValue[],
  read: (item: JsonValue) => Promise<LoadedValue>,
): Promise<LoadedValue> {
  const values: JsonValue[] = [];
  for (const item of items) {
    const one = await read(item);
    if (!one.ok) return one;
    values.push(one.value);
  }
  return { ok: true, value: values };
}

async function load(read: ReadForm, sources: ImageSources): Promise<LoadedValue> {
  if (!read.ok) return read;
  const { form } = read;
  if (form.kind === 'bytes') return { ok: true, value: imageValue(form.image) };
  return form.kind === 'file' ? readFile(form, sources) : fetchImage(form, sources.fetcher);
}

/** Of one picture, as of those that are fetched. */
const maxImageBytes = 20 * 2 ** 20;

/** What is no file is not opened: a pipe would be waited for, and a device read without end. */
function readFile(
  { path, mimeType }: Extract<ImageForm, { kind: 'file' }>,
  { folder, isGuarded = false }: Pick<ImageSources, 'folder' | 'isGuarded'>,
): LoadedValue {
  try {
    const file = resolve(folder, path);
    if (isGuarded && !isWithin(file, folder)) return refusedFile(`'${path}' is not in the folder of the flow`);
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) return refusedFile(`'${path}' is no file`);
    if (stats.size > maxImageBytes) return refusedFile(`'${path}' is an image of more than 20 MB`);
    const bytes = readFileSync(file);
    if (isGuarded && sniffImage(bytes) === undefined) return refusedFile(`'${path}' is no image`);
    return { ok: true, value: imageValue(new Image(bytes, mimeType)) };
  } catch (error) {
    return { ok: false, error: fileError(error as NodeJS.ErrnoException, path) };
  }
}

/** Links followed. A file that is not there is in no folder, and is told as missing where its path leads into this one. */
function isWithin(file: string, folder: string): boolean {
  const leadsIn = (path: string, into: string): boolean => {
    const way = relative(into, path);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  if (!leadsIn(file, folder)) return false;
  return !existsSync(file) || leadsIn(realpathSync(file), realpathSync(folder));
}

function refusedFile(message: string): LoadedValue {
  return { ok: false, error: { code: 'OSError', message } };
}

function fileError({ code = '', message }: NodeJS.ErrnoException, path: string): ImageError {
  if (code === 'ENOENT')
    return { code: 'FileNotFoundError', message: `[Errno 2] No such file or directory: '${path}'` };
  if (code === 'EISDIR') return { code: 'IsADirectoryError', message: `[Errno 21] Is a directory: '${path}'` };
  return { code: 'OSError', message };
}

function notFetched(url: string): FetchedImage {
  return { ok: false, message: `Failed to fetch image from URL: ${url}.`, retryable: false };
}

async function fetchImage(
  { url, mimeType }: Extract<ImageForm, { kind: 'url' }>,
  fetcher: ImageFetcher | undefined,
): Promise<LoadedValue> {
  const fetched = (await fetcher?.fetch(url)) ?? notFetched(url);
  if (!fetched.ok) {
    const { ok: _, ...told } = fetched;
    return { ok: false, error: { code: 'InvalidImageInput', ...told } };
  }
  return { ok: true, value: imageValue(new Image(fetched.bytes, mimeType, url)) };
}
