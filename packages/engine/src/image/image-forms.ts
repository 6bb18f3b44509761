import type { JsonObject, JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { pythonClass } from '../value/python-class.ts';
import { Image } from './image.ts';

/** Where a written image is to be had. */
export type ImageForm =
  | { readonly kind: 'bytes'; readonly image: Image }
  | { readonly kind: 'file'; readonly path: string; readonly mimeType?: string }
  | { readonly kind: 'url'; readonly url: string; readonly mimeType?: string };

export type ReadForm =
  | { readonly ok: true; readonly form: ImageForm }
  | { readonly ok: false; readonly error: ImageError };

export interface ImageError {
  readonly code: string;
  readonly message: string;
}

export type MessageFormat = 'basic' | 'openai-vision';

/** A mapping that stands for an image: `{"data:image/png;path": …}`, or `{type: image_url, image_url: {url: …}}`. */
export function isImageMapping(value: JsonValue, format: MessageFormat): value is JsonObject {
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return false;
  const keys = Object.keys(value);
  if (format === 'basic') return keys.length === 1 && basicKey.test(keys[0] ?? '');
  const { type } = value as JsonObject;
  if (keys.length !== 2 || typeof type !== 'string') return false;
  const inner = (value as JsonObject)[type];
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false;
  return (type === 'image_url' && 'url' in inner) || (type === 'image_file' && 'path' in inner);
}

/** A text of the OpenAI form, `{type: text, text: …}`; undefined where the value is none. */
export function textOfMapping(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return undefined;
  const { type, text } = value as JsonObject;
  if (type !== 'text') return undefined;
  if (typeof text === 'string') return text;
  const inner = (text as JsonObject | null | undefined)?.['value'];
  return typeof inner === 'string' ? inner : undefined;
}

/** An image as it may be given for an input of type `image`. */
export function readImage(value: JsonValue, format: MessageFormat): ReadForm {
  if ((value as unknown) instanceof Image)
    return { ok: true, form: { kind: 'bytes', image: value as unknown as Image } };
  if (typeof value === 'string')
    return value === '' ? invalid('The image input should not be empty.') : readText(value);
  const isMapping = typeof value === 'object' && value !== null && isPlainObject(value);
  if (!isMapping)
    return invalid(
      `Unsupported image input type: <class '${pythonClass(value)}'>. The image inputs should be a string or a dictionary.`,
    );
  if (isImageMapping(value, format)) return readImageMapping(value, format);
  return invalid(
    'Invalid image input format. The image input should be a dictionary like: {data:image/<image_type>;[path|base64|url]: <image_data>}.',
  );
}

export function readImageMapping(mapping: JsonObject, format: MessageFormat): ReadForm {
  if (format === 'basic') return readBasic(mapping);
  if (mapping['type'] === 'image_file') {
    const { path = null } = mapping['image_file'] as JsonObject;
    return typeof path === 'string' ? { ok: true, form: { kind: 'file', path } } : noPath(path);
  }
  const { url = null } = mapping['image_url'] as JsonObject;
  const text = String(url);
  if (isBase64(text)) return decode(text);
  if (isUrl(text)) return { ok: true, form: { kind: 'url', url: text } };
  return invalid(`Invalid image url: ${text}. Should be a valid url or base64 string.`);
}

function readBasic(mapping: JsonObject): ReadForm {
  const [[key, value] = ['', null]] = Object.entries(mapping);
  const [, subtype = '', resource = ''] = basicKey.exec(key) ?? [];
  const mimeType = `image/${subtype}`;
  const text = String(value);
  if (resource === 'path')
    return typeof value === 'string' ? { ok: true, form: { kind: 'file', path: value, mimeType } } : noPath(value);
  if (resource === 'url') return { ok: true, form: { kind: 'url', url: text, mimeType } };
  if (typeof value !== 'string') {
    const message = `'${pythonClass(value)}' object has no attribute 'split'`;
    return { ok: false, error: { code: 'AttributeError', message } };
  }
  return isBase64(text) ? decode(text, mimeType) : invalid(`Invalid base64 image: ${text}.`);
}

function noPath(value: JsonValue): ReadForm {
  const message = `expected str, bytes or os.PathLike object, not ${pythonClass(value)}`;
  return { ok: false, error: { code: 'TypeError', message } };
}

function readText(text: string): ReadForm {
  if (isBase64(text)) return decode(text);
  return { ok: true, form: isUrl(text) ? { kind: 'url', url: text } : { kind: 'file', path: text } };
}

const basicKey = /^data:image\/(.*);(path|base64|url)$/;
const base64Prefix = /^data:image\/(.*);base64/;
const base64Text = /^(?:[A-Za-z0-9+/]{2})*(?:==|[A-Za-z0-9+/]=)?\n?$/;

function isBase64(text: string): boolean {
  const [first = '', second, ...more] = text.split(',');
  if (second === undefined) return base64Text.test(first);
  return more.length === 0 && base64Prefix.test(first) && base64Text.test(second);
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text);
}

function decode(text: string, mimeType?: string): ReadForm {
  const written = text.split(',').at(-1) ?? '';
  const letters = written.replace(/[=\n]+$/, '').length;
  const padding = written.replace(/\n$/, '').length - letters;
  if (letters % 4 === 1) {
    return {
      ok: false,
      error: {
        code: 'Error',
        message: `Invalid base64-encoded string: number of data characters (${letters}) cannot be 1 more than a multiple of 4`,
      },
    };
  }
  if (letters % 4 !== 0 && (letters + padding) % 4 !== 0) {
    return { ok: false, error: { code: 'Error', message: 'Incorrect padding' } };
  }
  return { ok: true, form: { kind: 'bytes', image: new Image(Buffer.from(written, 'base64'), mimeType) } };
}

function invalid(message: string): ReadForm {
  return { ok: false, error: { code: 'InvalidImageInput', message } };
}
