import { basename, isAbsolute, join, relative } from 'node:path';
import { Image, isImageMapping, isPlainObject, type JsonValue, readImageMapping } from '@unroll/engine';
import type { PromptFlowFolder } from './run-folder.ts';

/**
 * A value of a recorded run as a record of ours holds it: images that lie beside the records are taken in, and a generator
 * that nobody read, of which Prompt flow notes where in memory it lay, gave nothing.
 *
 * @param beside folder of the record, below `folder`; images of it are named from there, or by a path that may have moved
 * @throws PromptFlowRunError
 */
export function promptFlowValue(value: JsonValue, folder: PromptFlowFolder, beside: string): JsonValue {
  if (typeof value === 'string') return unreadGenerator.test(value) ? [] : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => promptFlowValue(item, folder, beside));
  if (!isPlainObject(value)) return value;
  const format = ['basic', 'openai-vision'] as const;
  const written = format.find((one) => isImageMapping(value, one));
  if (written !== undefined && isImageMapping(value, written))
    return imageOf(readImageMapping(value, written), folder, beside) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, promptFlowValue(member, folder, beside)]),
  );
}

const unreadGenerator = /^<(?:async_)?generator object \S+ at 0x[0-9a-f]+>$/;

function imageOf(
  read: ReturnType<typeof readImageMapping>,
  folder: PromptFlowFolder,
  beside: string,
): JsonValue | undefined {
  if (!read.ok || read.form.kind !== 'file') return undefined;
  const { path, mimeType } = read.form;
  const named = isAbsolute(path) ? relative(folder.path, path) : join(beside, path);
  const file = [named, join(beside, basename(path))].find((one) => folder.has(one));
  return file === undefined ? undefined : new Image(folder.bytes(file), mimeType).toJSON();
}
