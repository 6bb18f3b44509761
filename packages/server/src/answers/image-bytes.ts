import { Image, type JsonValue, type MessageFormat, replaceImages } from '@unroll/engine';

/** Pictures as their bytes in base64, in the form of the flow. */
export function withImageBytes(value: JsonValue, format: MessageFormat): JsonValue {
  return replaceImages(value, (image) => {
    const [type, base64] = [Image.mimeTypeOf(image), Image.base64Of(image)];
    if (format === 'basic') return { [`data:${type};base64`]: base64 };
    return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } };
  });
}
