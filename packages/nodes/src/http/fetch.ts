/** The door to undici: its own fetch keeps connections open and costs less than the global one. Loaded when first used. */
export async function openFetch(): Promise<typeof globalThis.fetch> {
  // undici is CommonJS: once bundled, its names are found on the default export only.
  const { default: undici } = await import('undici');
  return undici.fetch as unknown as typeof globalThis.fetch;
}
