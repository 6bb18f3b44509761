import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Image, imagesIn, replaceImages } from '../image/image.ts';
import type { MessageFormat } from '../image/image-forms.ts';
import { makeFolder } from '../record/make-folder.ts';
import type { JsonValue } from '../value/json.ts';

export interface PersistPlace {
  /** Folder the written paths are relative to, absolute. */
  readonly folder: string;
  /** Where the files go, relative to `folder`, with `/`: `output`. */
  readonly below: string;
  readonly format: MessageFormat;
}

/**
 * A value for a file: each image is written beside it as `<uuid>.<kind>` and stands there as its path, one that came from
 * an address as that address; in the form of the flow's `message_format`.
 */
export function persistImages(value: JsonValue, { folder, below, format }: PersistPlace): JsonValue {
  if (imagesIn(value).length === 0) return value;
  return replaceImages(value, (image) => {
    const url = Image.sourceUrlOf(image);
    const mimeType = Image.mimeTypeOf(image);
    if (url !== undefined) {
      return format === 'basic' ? { [`data:${mimeType};url`]: url } : { type: 'image_url', image_url: { url } };
    }
    const path = posix.join(below, `${randomUUID()}${extension(mimeType)}`);
    makeFolder(join(folder, below));
    writeFileSync(join(folder, path), Image.bytesOf(image));
    return format === 'basic' ? { [`data:${mimeType};path`]: path } : { type: 'image_file', image_file: { path } };
  });
}

function extension(mimeType: string): string {
  const subtype = mimeType.split('/').at(-1) ?? '*';
  return subtype === '*' ? '' : `.${subtype}`;
}
