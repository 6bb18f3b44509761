import { isMapping, type JsonObject, parseYaml, type SourceFile, stringifyYaml } from '@unroll/engine';

/** The text of a flow whose files are laid in already: without `additional_includes`, all else as it was written. */
export function withoutIncludes(source: SourceFile): string {
  const { value, locate } = parseYaml(source);
  if (!isMapping(value) || !Object.hasOwn(value, 'additional_includes')) return source.text;
  const { additional_includes: _, ...rest } = value as JsonObject;
  const [key, written] = [locate(['additional_includes'], 'key'), locate(['additional_includes'])];
  const cut = key === undefined || written === undefined ? '' : withoutLines(source.text, key.start, written.end);
  const left = parseYaml({ ...source, text: cut }).value;
  if (isMapping(left) && JSON.stringify(left) === JSON.stringify(rest)) return cut;
  return stringifyYaml(rest, { comment: () => undefined, isInline: () => false, anchor: () => 'same' });
}

/** The text without the lines from one offset to another. */
function withoutLines(text: string, start: number, end: number): string {
  const first = text.lastIndexOf('\n', start) + 1;
  const last = text.indexOf('\n', Math.max(start, end - 1));
  return text.slice(0, first) + (last === -1 ? '' : text.slice(last + 1));
}
