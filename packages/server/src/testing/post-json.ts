/** @param body as JSON; a text, and bytes, as they are */
export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: sent, headers: { 'content-type': 'application/json', ...headers } });
}
