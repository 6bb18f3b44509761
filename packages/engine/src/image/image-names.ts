import type { JsonObject, JsonValue } from '../value/json.ts';
import { isImageMapping, readImageMapping } from './image-forms.ts';

/** A picture of a record, `{"data:image/png;base64": …}`, as it prints in prompts: `Image(1a2b3c4d)`. Undefined for any other value. */
export function imageName(value: JsonValue): string | undefined {
  if (!isImageMapping(value, 'basic')) return undefined;
  const read = readImageMapping(value, 'basic');
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
