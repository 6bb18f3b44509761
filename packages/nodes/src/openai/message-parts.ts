import type { JsonObject, ModelRequest } from '@unroll/engine';

/** Parts of the messages of a chat request, `{type: text, text: …}` or `{type: image_url, …}`; texts alone are none. */
export function messageParts(request: ModelRequest): readonly JsonObject[] {
  return messagesOf(request).flatMap(({ content }) =>
    Array.isArray(content) ? (content as readonly JsonObject[]) : [],
  );
}

export function messagesOf(request: ModelRequest): readonly JsonObject[] {
  return (request['messages'] ?? []) as readonly JsonObject[];
}

/** Address of the picture that a part is, `https://…` or `data:image/png;base64,…`; undefined of any other. */
export function pictureOf(part: JsonObject): string | undefined {
  const url = (part['image_url'] as JsonObject | undefined)?.['url'];
  return typeof url === 'string' ? url : undefined;
}

/** Whose messages are texts alone. */
const ofTexts: ReadonlySet<unknown> = new Set(['system', 'developer', 'assistant', 'tool', 'function']);

/** Why a picture cannot go where it stands; undefined where each stands in a message of the user. */
export function misplacedPicture(messages: readonly JsonObject[]): string | undefined {
  const found = messages.find(({ role, content }) => {
    return ofTexts.has(role) && Array.isArray(content) && content.some((part) => pictureOf(part) !== undefined);
  });
  return found === undefined
    ? undefined
    : `a message of the role ${String(found['role'])} holds a picture: those of the user alone may hold one`;
}
