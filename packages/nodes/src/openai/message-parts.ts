import type { JsonObject, ModelRequest } from '@unroll/engine';

/** Parts of the messages of a chat request, `{type: text, text: …}` or `{type: image_url, …}`; texts alone are none. */
export function messageParts(request: ModelRequest): readonly JsonObject[] {
  const messages = (request['messages'] ?? []) as readonly JsonObject[];
  return messages.flatMap(({ content }) => (Array.isArray(content) ? (content as readonly JsonObject[]) : []));
}

/** Address of the picture that a part is, `https://…` or `data:image/png;base64,…`; undefined of any other. */
export function pictureOf(part: JsonObject): string | undefined {
  const url = (part['image_url'] as JsonObject | undefined)?.['url'];
  return typeof url === 'string' ? url : undefined;
}
