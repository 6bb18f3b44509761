/** More pictures of one value than these are told by their text alone. */
const most = 12;

const written =
  /"data:(image\/[\w.+*-]+);base64": "([A-Za-z0-9+/]+={0,2})"|"(data:image\/[\w.+*-]+;base64,[A-Za-z0-9+/]+={0,2})"/g;

/** Pictures whose bytes stand in a JSON text, in the forms of docs/images.md, as addresses of their bytes; each once. */
export function picturesIn(json: string): readonly string[] {
  const found = [...json.matchAll(written)].map(
    ([, type = '', bytes = '', whole]) => whole ?? `data:${type};base64,${bytes}`,
  );
  return [...new Set(found)].slice(0, most);
}

const bytes =
  /((?:"data:image\/[\w.+*-]+;base64": "|"data:image\/[\w.+*-]+;base64,)[A-Za-z0-9+/]{16})[A-Za-z0-9+/]{8,}={0,2}(?=")/g;

/** A JSON text with the first few of the bytes of each picture, which nobody reads. */
export function withShortPictures(json: string): string {
  return json.replaceAll(bytes, '$1…');
}
