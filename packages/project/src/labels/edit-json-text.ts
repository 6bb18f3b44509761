import { isMapping, type JsonObject, type JsonValue, parseYaml, stringifyJson, valueAt } from '@unroll/engine';

/** What is put in place of a stretch of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Sets one value in a JSON text and leaves the rest as it is written: spaces, line breaks, the order of members, escapes.
 *
 * @param path to the value; members that are not there are added at the end of the mapping they belong to
 * @returns undefined where the path leads through something that is no mapping
 */
export function editJson(text: string, path: readonly (string | number)[], value: JsonValue): TextEdit | undefined {
  // JSON is YAML, whose reader knows where each value stands.
  const document = parseYaml({ path: '', text });
  const whole = document.value;
  if (whole === undefined) return undefined;
  const written = (one: JsonValue): string => jsonText(one, text);
  const found = document.locate(path);
  if (found !== undefined && valueAt(whole, path) !== undefined) {
    return { start: found.start, end: found.end, text: written(value) };
  }
  const there = path.findIndex((_, at) => valueAt(whole, path.slice(0, at + 1)) === undefined);
  const [parent, name] = [path.slice(0, there), path[there]];
  const span = document.locate(parent);
  const mapping = valueAt(whole, parent);
  if (span === undefined || typeof name !== 'string' || !isMapping(mapping)) return undefined;
  const added = { mapping, names: [name, ...path.slice(there + 1).map(String)], value: written(value) };
  return addedMember(text.slice(span.start, span.end), span.start, added);
}

interface AddedMember {
  readonly mapping: JsonObject;
  /** Each within the one before. */
  readonly names: readonly string[];
  readonly value: string;
}

const firstMember = /^\{(\s*)"(?:[^"\\]|\\.)*"(\s*:\s*)/;

/** Spaced as the mapping's first member is. */
function addedMember(text: string, start: number, { mapping, names, value }: AddedMember): TextEdit {
  const [, before = '', colon = ': '] = firstMember.exec(text) ?? [];
  const place = start + text.slice(0, -1).trimEnd().length;
  const isEmpty = Object.keys(mapping).length === 0;
  const between = before.includes('\n') ? before : colon.length > 1 ? ' ' : '';
  const member = (name: string, inner: string): string => `${JSON.stringify(name)}${colon}${inner}`;
  const [name = '', ...within] = names;
  const inner = within.reduceRight((deeper, one) => `{${member(one, deeper)}}`, value);
  return { start: place, end: place, text: `${isEmpty ? '' : `,${between}`}${member(name, inner)}` };
}

/** Where nothing but ASCII is written, other characters are escaped there. */
function jsonText(value: JsonValue, among: string): string {
  const text = stringifyJson(value);
  const isEscaped = among.includes('\\u') && isAscii(among);
  return isEscaped ? [...text].map(escapedCharacter).join('') : text;
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

function escapedCharacter(character: string): string {
  if (isAscii(character)) return character;
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
