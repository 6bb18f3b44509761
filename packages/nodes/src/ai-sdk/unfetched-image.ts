import type { PromptMessage, SupportedUrls } from './language-model.ts';

/** What is wrong with the first image that is given by an address the provider does not fetch; undefined where there is none. */
export function unfetchedImage(prompt: readonly PromptMessage[], supported: SupportedUrls): string | undefined {
  const unfetched = prompt.flatMap(addressesOf).find((address) => !isFetched(address, supported));
  if (unfetched === undefined) return undefined;
  return `this provider fetches no image from ${new URL(unfetched).origin}: give the image as a file of the flow`;
}

function addressesOf({ content }: PromptMessage): readonly string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) => (part.type === 'file' ? addressIn(part.data) : []));
}

function addressIn(data: unknown): readonly string[] {
  if (data instanceof URL) return [data.href];
  const { url } = (typeof data === 'object' && data !== null ? data : {}) as { readonly url?: URL };
  return url === undefined ? [] : [url.href];
}

function isFetched(address: string, supported: SupportedUrls): boolean {
  return Object.entries(supported)
    .filter(([type]) => type === '*' || type === '*/*' || type.startsWith('image/'))
    .some(([, patterns]) => patterns.some((pattern) => pattern.test(address)));
}
