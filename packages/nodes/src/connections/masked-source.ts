import { isMapping, type JsonValue, type SourceFile, type Span } from '@unroll/engine';

type Locate = (path: readonly (string | number)[], part?: 'key' | 'value') => Span | undefined;

/**
 * A file of connections as it may be printed: keys and the values of `type` stay, all else is `*`, comments too. Each character
 * keeps its place.
 */
export function maskedSource({ path, text }: SourceFile, value: JsonValue, locate: Locate): SourceFile {
  const shown = [...text.matchAll(/[\s{}:,]/g)].map(({ index }) => [index, index + 1] as const);
  const kept = spansOf(value, [], locate).map(({ start, end }) => [start, end] as const);
  const masked = text.split('').fill('*');
  for (const [start, end] of [...shown, ...kept]) {
    for (let at = start; at < end; at += 1) masked[at] = text[at] ?? '';
  }
  return { path, text: masked.join('') };
}

function spansOf(value: JsonValue, path: readonly string[], locate: Locate): readonly Span[] {
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = [...path, key];
    const isType = key === 'type' && typeof member === 'string';
    const own = [locate(inside, 'key'), isType ? locate(inside) : undefined].filter((span) => span !== undefined);
    return [...own, ...spansOf(member, inside, locate)];
  });
}
