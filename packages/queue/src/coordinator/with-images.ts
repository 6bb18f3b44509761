import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { isImageMapping, isPlainObject, type JsonObject, type JsonValue, type MessageFormat } from '@unroll/engine';

/**
 * A value of a row with the bytes of its pictures in the place of their paths: workers have other files. A picture that is not there
 * stays as it is written, so that its row fails with the words for that.
 */
export function withImages(value: JsonValue, format: MessageFormat): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withImages(item, format));
  if (isImageMapping(value, format)) return inlined(value);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withImages(member, format)]));
}

function inlined(mapping: JsonObject): JsonObject {
  const [[key, path] = ['', null]] = Object.entries(mapping);
  if (key.endsWith(';path')) {
    return isFile(path) ? { [`${key.slice(0, -'path'.length)}base64`]: base64Of(path) } : mapping;
  }
  const file = mapping['image_file'] as JsonObject | undefined;
  const shown = file?.['path'] ?? null;
  if (!isFile(shown)) return mapping;
  const type = mimeTypes[extname(shown).toLowerCase()] ?? 'image/png';
  return { type: 'image_url', image_url: { url: `data:${type};base64,${base64Of(shown)}` } };
}

/** Of one picture, as of those that are read in process. */
const maxImageBytes = 20 * 2 ** 20;

/** What is no file is not opened: a pipe would be waited for, and a device read without end. */
function isFile(path: JsonValue): path is string {
  if (typeof path !== 'string' || path.includes('\0')) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= maxImageBytes;
}

function base64Of(path: string): string {
  return readFileSync(path).toString('base64');
}

const mimeTypes: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
