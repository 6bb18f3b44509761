import {
  type ImageLoadError,
  type ImageSources,
  type JsonObject,
  type JsonValue,
  loadImage,
  type NodeError,
  type PrepareContext,
  PrepareError,
} from '@unroll/engine';
import { userError } from '../errors/tool-error.ts';
import { imageVariables } from './image-variables.ts';
import type { PromptTemplate } from './prompt-template.ts';

/**
 * Literals with images in the place of those that the template shows as images.
 *
 * @throws PrepareError when one is no image
 */
export async function withLiteralImages(
  literals: JsonObject,
  { file }: PromptTemplate,
  context: PrepareContext,
): Promise<JsonObject> {
  const loaded: Record<string, JsonValue> = { ...literals };
  for (const name of imageVariables(file.text)) {
    const value = literals[name];
    if (value === undefined || value === null) continue;
    const image = await loadImage(value, imageSourcesOf(context));
    if (!image.ok) throw new PrepareError(noImage(image.error));
    loaded[name] = image.value;
  }
  return loaded;
}

function noImage({ code, message, retryable = false, service }: ImageLoadError): NodeError {
  const details = { retryable, ...(service === undefined ? {} : { service }) };
  if (code === 'InvalidImageInput') return { ...userError(code, message), ...details };
  return { code, message, ...details };
}

export function imageSourcesOf({ files, messageFormat, imageFetcher }: PrepareContext): ImageSources {
  return { folder: files.folder, format: messageFormat, inTexts: false, fetcher: imageFetcher };
}
