import { createHash } from 'node:crypto';
import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';

/**
 * Whether an image of ours, which holds its bytes, is the one the original told of: by its hash, `Image(1f2e3d4c)`, or by
 * the file it was put into, whose name is made up. undefined where no image is expected.
 */
export function sameImage(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean | undefined {
  const hash = hashOf(expected);
  const file = isMapping(expected) ? fileKind(expected) : undefined;
  if (hash === undefined && file === undefined) return undefined;
  const image = isMapping(actual) ? imageOf(actual) : undefined;
  if (image === undefined) return undefined;
  if (hash !== undefined) return createHash('sha1').update(image.bytes).digest('hex').slice(0, 8) === hash;
  return file === '' || file === image.mimeType;
}

function hashOf(expected: JsonValue | undefined): string | undefined {
  const text = isMapping(expected) ? expected['$repr'] : expected;
  return typeof text === 'string' ? /^Image\(([0-9a-f]{8})\)$/.exec(text)?.[1] : undefined;
}

/** MIME type of an image that stands as a path; empty where the form does not tell it. */
function fileKind(expected: JsonObject): string | undefined {
  if (expected['type'] === 'image_file') return '';
  const [key = '', ...more] = Object.keys(expected);
  return more.length === 0 ? /^data:(image\/[^;]+);path$/.exec(key)?.[1] : undefined;
}

function imageOf(actual: JsonObject): { readonly mimeType: string; readonly bytes: Buffer } | undefined {
  const [key = ''] = Object.keys(actual);
  const { url } = (actual['image_url'] ?? {}) as { readonly url?: string };
  const written = url ?? `${key},${String(actual[key])}`;
  const [, mimeType, text] = /^data:(image\/[^;]+);base64,(.*)$/s.exec(written) ?? [];
  return mimeType === undefined || text === undefined ? undefined : { mimeType, bytes: Buffer.from(text, 'base64') };
}
