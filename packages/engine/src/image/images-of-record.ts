import type { JsonObject, JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { isImageMapping, type MessageFormat } from './image-forms.ts';

/**
 * A value out of a record, whose images are mappings of the `basic` form, for a flow that reads those of this format; the same value
 * where there is nothing to change.
 */
export function imagesOfRecord(value: JsonValue, format: MessageFormat): JsonValue {
  if (format === 'basic' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => imagesOfRecord(item, format));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (isImageMapping(value, 'basic')) return withAddress(value);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as unknown as JsonObject);
  const read = members.map(([key, member]) => [key, imagesOfRecord(member, format)] as const);
  return read.some(([, member], at) => member !== members[at]?.[1]) ? Object.fromEntries(read) : value;
}

function withAddress(mapping: JsonObject): JsonValue {
  const [[key, text] = ['', null]] = Object.entries(mapping);
  if (typeof text !== 'string' || key.endsWith(';path')) return mapping;
  return { type: 'image_url', image_url: { url: key.endsWith(';url') ? text : `${key},${text}` } };
}
