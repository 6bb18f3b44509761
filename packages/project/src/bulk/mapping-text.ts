import { shellWord } from '@unroll/engine/values';
import type { BulkSettings } from './bulk-settings.ts';

/** How inputs are given columns or values, as it is written where this run has its mapping: in its file, or with the command. */
export function mappingText(
  given: Readonly<Record<string, string>>,
  { isMappingInFile = false }: Pick<BulkSettings, 'isMappingInFile'>,
): string {
  const pairs = Object.entries(given);
  return isMappingInFile
    ? `column_mapping: {${pairs.map(([input, value]) => `${input}: "${value}"`).join(', ')}}`
    : `--column-mapping ${pairs.map(([input, value]) => `${input}=${shellWord(value)}`).join(' ')}`;
}

/** The reference to the column of that name. */
export function columnReference(column: string): string {
  return `\${data.${column}}`;
}
