import { shellWord } from '@unroll/engine/values';
import type { BulkSettings } from './bulk-settings.ts';

/** How inputs are given columns or values, as it is written where this run has its mapping: in its file, or with the command. */
export function mappingText(
  given: Readonly<Record<string, string>>,
  { isMappingInFile = false }: Pick<BulkSettings, 'isMappingInFile'>,
): string {
  const pairs = Object.entries(given);
  return isMappingInFile
    ? `column_mapping: {${pairs.map(([input, value]) => `${yamlKey(input)}: ${JSON.stringify(value)}`).join(', ')}}`
    : `--column-mapping ${pairs.map(([input, value]) => shellPair(input, value)).join(' ')}`;
}

/** In quotes where a reader of YAML would take it for something else than that text; what JSON writes is YAML too. */
function yamlKey(name: string): string {
  const isText = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(name) && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(name);
  return isText ? name : JSON.stringify(name);
}

function shellPair(name: string, value: string): string {
  const isWord = name === '' || shellWord(name) === name;
  return isWord ? `${name}=${shellWord(value)}` : shellWord(`${name}=${value}`);
}

/** The reference to the column of that name. */
export function columnReference(column: string): string {
  return `\${data.${column}}`;
}
