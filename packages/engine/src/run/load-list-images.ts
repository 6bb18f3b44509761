import type { JsonObject } from '../value/json.ts';
import type { Coerced } from './coerce-inputs.ts';
import { type ImageSources, loadImages } from './load-images.ts';

/** A list by the name under which it is read, and by that of what it gathers. */
interface GatheredList {
  readonly input: string;
  readonly toldAs: string;
}

/**
 * What aggregation nodes read of all rows, with images where their records hold mappings: in the form of records whatever
 * the flow's `message_format`, and in that of the flow where nodes gave mappings.
 */
export async function loadListImages(
  lists: readonly GatheredList[],
  values: JsonObject,
  sources: ImageSources,
): Promise<Coerced> {
  const named = lists.map(({ input, toldAs }) => ({ name: input, type: 'list' as const, toldAs }));
  const read = { ...sources, inTexts: false };
  const recorded = await loadImages(named, values, { ...read, format: 'basic' });
  if (!recorded.ok || sources.format === 'basic') return recorded;
  return await loadImages(named, recorded.inputs, read);
}
