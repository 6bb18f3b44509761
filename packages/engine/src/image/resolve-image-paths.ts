import { resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isImageMapping, type MessageFormat } from './image-forms.ts';

/**
 * A value of a data file with the paths of its images made absolute: they start from the file's folder, where those of a
 * flow start from the flow's. Only of images written as mappings, at any depth; the same value where there are none.
 *
 * @param folder absolute
 */
export function resolveImagePaths(value: JsonValue, folder: string, format: MessageFormat): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => resolveImagePaths(item, folder, format));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (isImageMapping(value, format)) return resolvePath(value, folder);
  const members = Object.entries(value as unknown as JsonObject);
  const resolved = members.map(([key, member]) => [key, resolveImagePaths(member, folder, format)] as const);
  return resolved.some(([, member], at) => member !== members[at]?.[1]) ? Object.fromEntries(resolved) : value;
}

function resolvePath(mapping: JsonObject, folder: string): JsonValue {
  const [[key, value] = ['', null]] = Object.entries(mapping);
  if (key.endsWith(';path')) return { [key]: resolve(folder, String(value)) };
  const file = mapping['image_file'] as JsonObject | undefined;
  if (file === undefined) return mapping;
  return { type: 'image_file', image_file: { ...file, path: resolve(folder, String(file['path'])) } };
}
