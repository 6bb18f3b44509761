import type { JsonObject, JsonValue } from '../value/json.ts';
import { isImageMapping, readImageMapping } from './image-forms.ts';

/**
 * A picture of a record, `{"data:image/png;base64": …}`, or of a message with its bytes, as it prints in prompts: `Image(1a2b3c4d)`.
 * Undefined for any other value.
 */
export function imageName(value: JsonValue): string | undefined {
  const format = (['basic', 'openai-vision'] as const).find((one) => isImageMapping(value, one));
  if (format === undefined) return undefined;
  const read = readImageMapping(value as JsonObject, format);
  return read.ok && read.form.kind === 'bytes' ? String(read.form.image) : undefined;
}

/** A value for people, with such a text in the place of each picture; the same value where there is none. */
export function withImageNames(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(withImageNames);
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const name = imageName(value);
  if (name !== undefined) return name;
  const members = Object.entries(value as JsonObject);
  const named = members.map(([key, member]) => [key, withImageNames(member)] as const);
  return named.some(([, member], at) => member !== members[at]?.[1]) ? Object.fromEntries(named) : value;
}
