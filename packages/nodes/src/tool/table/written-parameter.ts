import { isMapping, type JsonValue, stringifyJson, textOrJson } from '@unroll/engine';
import type { ParameterForm } from '../../openapi/parameter-form.ts';

type Pair = readonly [name: string, value: string];

const separators = { spaceDelimited: '%20', pipeDelimited: '%7C', tabDelimited: '%09' } as const;

/** A parameter of a query as OpenAPI writes it in its style, `ids=1,2` or `ids=1&ids=2`; what is null is left out. */
export function queryText(name: string, value: JsonValue, { style, explode }: ParameterForm): string {
  if (value === null) return '';
  if (style === 'json') return pairsText([[name, stringifyJson(value)]]);
  const members = membersOf(value);
  if (members === undefined) return pairsText([[name, textOrJson(value)]]);
  if (style === 'deepObject') return pairsText(members.map(([key, one]) => [`${name}[${key}]`, one]));
  if (explode) return pairsText(members.map(([key, one]) => [isMapping(value) ? key : name, one]));
  const separator = style in separators ? separators[style as keyof typeof separators] : ',';
  return `${encoded(name)}=${listText(value, members, encoded).join(separator)}`;
}

/** A parameter of a path or a header as OpenAPI writes it in its style; empty where it is null. */
export function simpleText(
  name: string,
  value: JsonValue,
  { style, explode }: ParameterForm,
  encode: (text: string) => string,
): string {
  if (value === null) return '';
  if (style === 'json') return encode(stringifyJson(value));
  const members = membersOf(value);
  const texts =
    members === undefined
      ? [encode(textOrJson(value))]
      : explode && isMapping(value)
        ? members.map(([key, one]) => `${encode(key)}=${encode(one)}`)
        : listText(value, members, encode);
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return texts.join(',');
  if (!explode) return `;${encode(name)}=${texts.join(',')}`;
  return texts.map((text) => (isMapping(value) ? `;${text}` : `;${encode(name)}=${text}`)).join('');
}

/** What stands in a list or a mapping; undefined where it is neither. */
function membersOf(value: JsonValue): readonly Pair[] | undefined {
  const isList = Array.isArray(value);
  if (!isList && !isMapping(value)) return undefined;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return members.flatMap(([key, one]) => (one === null && !isList ? [] : [[key, textOrJson(one)] as const]));
}

/** Names and values of a mapping in turn. */
function listText(value: JsonValue, members: readonly Pair[], encode: (text: string) => string): readonly string[] {
  return members.flatMap(([key, one]) => (isMapping(value) ? [encode(key), encode(one)] : [encode(one)]));
}

function pairsText(pairs: readonly Pair[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
}

function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
