import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Image, isImageMapping, type JsonObject, type JsonValue, readImageMapping } from '@unroll/engine';
import { columnsRead, type PartialEval } from '@unroll/evals';

/**
 * Pictures that rows of data name as files beside them, whole, as a record of a run holds those of its outputs: a metric can compare
 * the two, and a judge is shown them. Only of columns that metrics read. What is no file stays, to be told by who wants it.
 */
export function wholePictures(spec: Pick<PartialEval, 'metrics'>): (values: JsonObject, folder: string) => JsonObject {
  const columns = columnsRead(spec);
  return (values, folder) => {
    const changed = columns.flatMap((name): readonly (readonly [string, JsonValue])[] => {
      const value = values[name] ?? null;
      const whole = withPictures(value, folder);
      return whole === value ? [] : [[name, whole]];
    });
    return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
  };
}

/** The same value where there is none. */
function withPictures(value: JsonValue, folder: string): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => withPictures(item, folder));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const format = (['basic', 'openai-vision'] as const).find((one) => isImageMapping(value, one));
  if (format !== undefined) {
    const read = readImageMapping(value as JsonObject, format);
    return read.ok && read.form.kind === 'file' ? (wholePicture(read.form, folder) ?? value) : value;
  }
  const members = Object.entries(value as JsonObject);
  const read = members.map(([key, member]) => [key, withPictures(member, folder)] as const);
  return read.some(([, member], at) => member !== members[at]?.[1]) ? Object.fromEntries(read) : value;
}

/** As of pictures that are given to a flow. */
const maxBytes = 20 * 2 ** 20;

function wholePicture(
  { path, mimeType }: { readonly path: string; readonly mimeType?: string },
  folder: string,
): JsonValue | undefined {
  try {
    const file = resolve(folder, path);
    const { size } = statSync(file);
    return size > maxBytes ? undefined : new Image(readFileSync(file), mimeType).toJSON();
  } catch {
    return undefined;
  }
}
