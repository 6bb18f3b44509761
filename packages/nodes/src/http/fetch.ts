/** The door to undici: its own fetch keeps connections open and costs less than the global one. Loaded when first used. */
export async function openFetch(): Promise<typeof globalThis.fetch> {
  const { fetch } = await import('undici');
  return fetch as unknown as typeof globalThis.fetch;
}
